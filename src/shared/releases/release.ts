import { z } from 'zod'
import { ARTIFACT_DETAILS } from '../files/artifact-details.ts'
import { SignedDocument, SignedDocuments } from '../files/signed-document.ts'
import {
  AppRefOrId,
  Arch,
  ArtifactKind,
  ChannelName,
  Platform,
  RELEASE_NAMES,
  RolloutPct,
  Timestamp,
  Version,
} from '../names.ts'
import { Plan } from '../plans/plan.ts'
import { WARNED } from './preflight-policy.ts'
import { Targets } from './targets.ts'

export const ReleaseStatus = z.enum(['published', 'paused', 'rolled_back'])
export type ReleaseStatus = z.infer<typeof ReleaseStatus>

/** Most artifacts that a release can hold. */
export const MAX_ARTIFACTS = 64

const SHA512 = /^(?:[0-9a-fA-F]{128}|[A-Za-z0-9+/]{86}==)$/
const ABSOLUTE = /^https?:\/\//i
const URI = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/

const DEVICES = { platform: Platform, arch: Arch }

const FILE = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: 'must be an absolute http or https address' })
    .refine((text) => ABSOLUTE.test(text), {
      message: 'must be an absolute http or https address',
    })
    .max(2048, 'must be at most 2048 characters')
    .regex(URI, 'must be percent-encoded, without spaces'),
  sha512: z
    .string()
    .regex(SHA512, 'must be a SHA-512: 128 hexadecimal digits, or 64 bytes in base64')
    .meta({ description: 'SHA-512 of the file, in hex or base64, as published' }),
  size: z
    .int()
    .min(0, 'must not be negative')
    .default(0)
    .meta({ description: 'Size in bytes; 0 if unknown' }),
  signature: z.string().trim().max(8192, 'must be at most 8192 characters').default('').meta({
    description:
      'Signature of the file, without white space around it; empty if there is none. The Tauri updater does not install files without one',
  }),
})

/** A file of a release, and the devices that it is for. */
export const Artifact = z
  .strictObject({
    ...DEVICES,
    kind: ArtifactKind.default(''),
    ...FILE.shape,
    ...ARTIFACT_DETAILS,
  })
  .meta({ id: 'Artifact' })
export type Artifact = z.infer<typeof Artifact>

/** An artifact as the public feed shows it. */
export const FeedArtifact = z
  .strictObject({ ...DEVICES, ...FILE.shape })
  .meta({ id: 'FeedArtifact' })
export type FeedArtifact = z.infer<typeof FeedArtifact>

/** Maximum bytes of UTF-8 in the notes of a new release. Releases of older versions can have more. */
const MAX_NOTES = 65_536

/** Returns whether notes are longer than a new release may have. */
export function areNotesTooLong(notes: string): boolean {
  // A UTF-16 unit takes one to three bytes, so very short and very long notes need no encoding.
  if (notes.length * 3 <= MAX_NOTES) return false
  return notes.length > MAX_NOTES || new TextEncoder().encode(notes).length > MAX_NOTES
}

export const Notes = z
  .string()
  .refine((notes) => !areNotesTooLong(notes), {
    message: `must be at most ${MAX_NOTES / 1024} KiB of UTF-8`,
  })
  .meta({ description: 'Release notes in Markdown, at most 64 KiB of UTF-8', maxLength: MAX_NOTES })

/** The artifacts of a release that is published or put together. */
export const Artifacts = z
  .array(Artifact)
  .max(MAX_ARTIFACTS, `must hold at most ${MAX_ARTIFACTS} artifacts`)

/** A release as the public feed shows it. */
export const FeedRelease = z
  .strictObject({
    id: z.uuid(),
    ...RELEASE_NAMES,
    notes: z.string().meta({ description: 'Release notes in Markdown' }),
    status: ReleaseStatus,
    rolloutPct: RolloutPct,
    createdAt: Timestamp,
    artifacts: z.array(FeedArtifact),
  })
  .meta({ id: 'FeedRelease' })
export type FeedRelease = z.infer<typeof FeedRelease>

/** A release as bearers of a key see it. */
export const Release = FeedRelease.extend({
  artifacts: z.array(Artifact),
  targets: Targets,
  offered: z.boolean().meta({ description: 'True once any device has been offered the release' }),
  documents: z
    .array(SignedDocument)
    .optional()
    .meta({ description: 'Documents that its publisher signed; absent if there are none' }),
  ...WARNED,
}).meta({ id: 'Release' })
export type Release = z.infer<typeof Release>

/** Body of a publish call. */
export const PublishBody = z
  .strictObject({
    app: AppRefOrId,
    channel: ChannelName,
    version: Version,
    notes: Notes.default(''),
    rolloutPct: RolloutPct.default(100),
    targets: Targets.prefault({}),
    artifacts: Artifacts.default([]),
    documents: SignedDocuments.optional().meta({
      description:
        'Documents of updaters that the publisher signed, which devices get byte for byte',
    }),
    plan: Plan.optional().meta({
      description:
        'How the release is rolled out by itself, from 0%. Without it, `rolloutPct` is what devices are offered',
    }),
  })
  .meta({ id: 'PublishBody' })
export type PublishBody = z.infer<typeof PublishBody>

/** Body of a serving change: at least one of `targets`, `rolloutPct` and `status`, or `plan` alone. */
export const ServingBody = z
  .strictObject({
    app: AppRefOrId,
    channel: ChannelName,
    version: Version,
    targets: Targets.optional(),
    rolloutPct: RolloutPct.optional(),
    status: ReleaseStatus.optional(),
    plan: Plan.optional().meta({
      description:
        'Sets the plan of the release. Give it alone: a plan changes targets and rollout',
    }),
  })
  .check((context) => {
    const { targets, rolloutPct, status, plan } = context.value
    const isServing = targets !== undefined || rolloutPct !== undefined || status !== undefined
    if (isServing !== (plan !== undefined)) return
    const [path, message] = isServing
      ? [['plan'], 'must be given without targets, rolloutPct and status']
      : [[], 'give at least one of targets, rolloutPct and status, or plan']
    context.issues.push({ code: 'custom', path, message, input: context.value })
  })
  .meta({
    id: 'ServingBody',
    anyOf: [
      { required: ['targets'] },
      { required: ['rolloutPct'] },
      { required: ['status'] },
      { required: ['plan'] },
    ],
  })
export type ServingBody = z.infer<typeof ServingBody>

export const ReleaseAnswer = z.strictObject({ release: Release }).meta({ id: 'ReleaseAnswer' })
