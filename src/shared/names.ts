import { z } from 'zod'
import { VISIBLE, VISIBLE_RULE } from './basics/visible.ts'
import { MAX_LABELS, OTHER } from './devices/counting.ts'
import {
  BUILD_NUMBER,
  MAX_VERSION_LENGTH,
  readVersion,
  VERSION_PATTERN,
} from './releases/version.ts'

/** An app's `ref`: the slug that people type. */
export const AppRef = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'must be 1 to 63 lower-case letters, digits and hyphens, and start with a letter or digit',
  )
  .meta({ description: 'Unique reference of an app', examples: ['editor'] })

/** An app's `ref` or its `id`: whatever a path or a body takes. Which of them it is, is looked up. */
export const AppRefOrId = z
  .string()
  .min(1, 'is required')
  .max(128, 'must be at most 128 characters')
  .meta({ description: 'Reference or ID of an app', examples: ['editor'] })

/** Maximum length of a name for people, in UTF-16 code units. */
export const MAX_DISPLAY_NAME = 128

/** A name that a person gives to something of their own, on their own computer. */
export const OwnName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_DISPLAY_NAME, `must be at most ${MAX_DISPLAY_NAME} characters`)
  .regex(/^\P{Cc}*$/u, 'must not contain line breaks or other control characters')

/** A name that other people read: an app's, a key's. */
export const DisplayName = OwnName.regex(VISIBLE, VISIBLE_RULE)

export const ChannelName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,62}$/,
    'must be 1 to 63 lower-case letters, digits, dots, underscores and hyphens, and start with a letter or digit',
  )
  .meta({ description: 'Name of a channel, unique per app', examples: ['stable'] })

/** Names a channel. */
export const ChannelPlace = z.strictObject({ app: AppRefOrId, channel: ChannelName })

/** A version, canonical after parsing, or a build number, which Sparkle names in its place. */
export const InstalledVersion = z.string().check((context) => {
  const read = readVersion(context.value)
  if (read.ok) context.value = read.version.text
  else if (!BUILD_NUMBER.test(context.value)) {
    context.issues.push({ code: 'custom', input: context.value, message: read.reason })
  }
})

/** The version of an operating system, as a device states it. */
export const SystemVersion = z
  .string()
  .min(1, 'must not be empty')
  .max(64, 'must be at most 64 characters')

/** A version, canonical after parsing: SemVer 2.0.0, one leading `v` dropped, build metadata kept. */
export const Version = z
  .string()
  .check((context) => {
    const read = readVersion(context.value)
    if (read.ok) context.value = read.version.text
    else context.issues.push({ code: 'custom', input: context.value, message: read.reason })
  })
  .meta({
    description: 'Version as in SemVer 2.0.0. One leading v is dropped, build metadata is kept',
    pattern: VERSION_PATTERN,
    maxLength: MAX_VERSION_LENGTH,
    examples: ['1.4.0', '2.0.0-rc.1+build.7'],
  })

export const DEVICE_ID = /^[!-~]{1,128}$/

export const DeviceId = z
  .string()
  .regex(DEVICE_ID, 'must be 1 to 128 printable ASCII characters without spaces')
  .meta({
    description: 'Random ID that the app creates once and keeps',
    examples: ['0b0e9a9e-5b61-4d0e-8f5e-1f8a6c2d9b37'],
  })

const TOKEN_RULE =
  'must be 1 to 64 letters, digits, dots, underscores and hyphens, and start with a letter or digit'

/** A platform or arch as given, lower-cased. Aliases count when two are compared, not here. */
const token = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, TOKEN_RULE)
  .overwrite((text) => text.toLowerCase())

export const Platform = token.meta({ description: 'Operating system', examples: ['darwin'] })
export const Arch = token.meta({ description: 'CPU architecture', examples: ['aarch64'] })

/** The kinds of bundle that updaters know: none of them installs a file of another one. */
export const KNOWN_KINDS = [
  'app',
  'appimage',
  'deb',
  'rpm',
  'pacman',
  'nsis',
  'msi',
  'zip',
  'dmg',
] as const

/** The kind of a package that holds only what has changed since another one: it is no bundle. */
export const DELTA_KIND = 'delta'

/** How an app is bundled for installation: `deb`, `nsis`. An unknown kind matches only itself. */
export const BundleKind = token.meta({
  description: 'Kind of bundle that is installed on the device',
  examples: ['appimage'],
})

/** The kind of bundle that an artifact is, empty if it is not given. */
export const ArtifactKind = z
  .string()
  .regex(/^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63})?$/, TOKEN_RULE)
  .overwrite((text) => text.toLowerCase())
  .meta({
    description:
      'Kind of bundle: `app`, `appimage`, `deb`, `rpm`, `nsis`, `msi`, `zip`, `dmg` or another name; empty if not given',
    examples: ['deb'],
  })

const LABEL_KEY_RULE =
  'is not a label key: 1 to 63 letters, digits, dots, underscores, slashes and hyphens, starting with a letter or digit'

export const LabelKey = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/, LABEL_KEY_RULE)

/**
 * An object whose every key is a label key. `z.record` alone drops the key `__proto__` and reports
 * nothing, so that targets which name it would match every device.
 */
export function byLabelKey<Value extends z.ZodType>(value: Value) {
  return z.preprocess(
    (input: Readonly<Record<string, z.input<Value>>>, context) => {
      if (typeof input === 'object' && input !== null && Object.hasOwn(input, '__proto__')) {
        context.addIssue({ code: 'custom', path: ['__proto__'], message: LABEL_KEY_RULE })
      }
      return input
    },
    z.record(LabelKey, value),
  )
}

export const LabelValue = z.string().max(256, 'must be at most 256 characters')

/** Labels of a request: an empty value removes the label. */
export const Labels = byLabelKey(LabelValue)
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, {
    message: `must hold at most ${MAX_LABELS} labels`,
  })
  .meta({
    description: 'Labels; an empty value removes a label',
    maxProperties: MAX_LABELS,
    examples: [{ ring: 'beta' }],
  })

export type LabelMap = Readonly<Record<string, string>>

/** ISO 8601, UTC, with `Z`. */
export const Timestamp = z.iso
  .datetime()
  .meta({ description: 'ISO 8601 date-time in UTC', examples: ['2026-03-14T09:26:53.589Z'] })

/** What names a release, in other schemas. */
export const RELEASE_NAMES = { app: AppRef, channel: ChannelName, version: Version }

/** A version as devices are counted: `OTHER` for all that are counted together. */
export const RunningVersion = z.union([Version, z.literal(OTHER)])

/** The share of a rollout in percent: a whole number from 0 to 100. */
export const RolloutPct = z
  .int('must be a whole number from 0 to 100')
  .min(0, 'must be a whole number from 0 to 100')
  .max(100, 'must be a whole number from 0 to 100')
  .meta({ description: 'Percentage of devices in the rollout', examples: [25] })
