import { sha512InHex } from '../../shared/artifacts/sha512.ts'
import { ANY_ARCH, canonicalArch, canonicalPlatform } from '../../shared/devices/aliases.ts'
import type { Artifact } from '../../shared/releases/release.ts'
import { releaseOn } from '../catalog/catalog.ts'
import type { CatalogChannel, ServedRelease } from '../catalog/snapshot.ts'
import { NO_LABELS } from '../fleet/labels.ts'
import { compareVersions, parseVersion } from '../rules/decision/version.ts'
import { type Installed, installedFrom } from './clients/clients.ts'
import type { KnownFiles } from './files/continuity.ts'
import type { DeviceGroup } from './groups.ts'
import type { Trial } from './walk.ts'

/** Milliseconds for which released versions are checked that no device runs now: two years. */
const REMEMBERED = 2 * 365 * 86_400_000
/** Most of them, the latest first. */
const MAX_RELEASED = 2_000

/** Returns groups without devices: lower versions of the two years before `now` (Unix ms), except those of `groups`. */
export function releasedBefore(
  { channel, release }: Trial,
  groups: readonly DeviceGroup[],
  now: number,
): DeviceGroup[] {
  const keyOf = (...parts: readonly string[]) => parts.join(' ')
  const known = new Set(groups.map((each) => keyOf(each.version, each.platform, each.arch)))
  const found: DeviceGroup[] = []
  for (const { facts, version } of channel.compiled.releases.toReversed()) {
    const isRecent = now - Date.parse(facts.createdAt) <= REMEMBERED
    // What was stopped before any device was offered it runs nowhere.
    const isOut = facts.offered || (facts.status === 'published' && facts.rolloutPct > 0)
    if (!isRecent || !isOut || compareVersions(version, release.version) >= 0) continue
    for (const { platform, arch } of facts.artifacts.flatMap((each) => systemsOf(each, groups))) {
      const key = keyOf(version.text, platform, arch)
      if (known.has(key) || found.length >= MAX_RELEASED) continue
      known.add(key)
      const nobody = { labels: NO_LABELS, deviceId: null, example: null, devices: 0 }
      found.push({ version: version.text, platform, arch, ...nobody })
    }
  }
  return found
}

/** The systems that a file is for; one for every arch, those that devices of its platform have. */
function systemsOf(
  artifact: Artifact,
  groups: readonly DeviceGroup[],
): { readonly platform: string; readonly arch: string }[] {
  const platform = canonicalPlatform(artifact.platform)
  const arch = canonicalArch(artifact.arch)
  if (arch !== ANY_ARCH) return [{ platform, arch }]
  const seen = new Set(groups.filter((each) => each.platform === platform).map((each) => each.arch))
  return [...(seen.size > 0 ? seen : [arch])].map((each) => ({ platform, arch: each }))
}

/** Returns the updaters that a group can have: those of its version, else those of the nearest release that has files for it. */
export function installedBy(
  { channel, release, files }: Trial,
  { version, platform, arch }: Pick<DeviceGroup, 'version' | 'platform' | 'arch'>,
): Installed[] {
  const own = releaseOn(channel, version)
  const releases = [...(own === undefined ? [] : [own]), ...nearest(channel, version), release]
  for (const each of releases) {
    const installed = installedFrom(each.facts, platform, arch)
    if (installed.length > 0) return narrowed(installed, [each, release], files)
  }
  return [{ client: 'update_check', bundle: '' }]
}

/**
 * electron-updater and Squirrel.Mac install the same files: what is inside says which of them an app has, if not of its own
 * release, then of the one that is tried.
 */
function narrowed(
  installed: readonly Installed[],
  releases: readonly ServedRelease[],
  { facts }: KnownFiles,
): Installed[] {
  const read = releases
    .flatMap((release) => release.facts.artifacts)
    .map(({ sha512 }) => facts.get(sha512InHex(sha512))?.electronUpdate)
    .find((update) => update !== undefined)
  if (read === undefined) return [...installed]
  return installed.filter(({ client }, _, { length }) => {
    return length === 1 || client !== (read === null ? 'electron_updater' : 'squirrel_mac')
  })
}

/** Those below a version from the highest on, then those above it. */
function nearest({ compiled }: CatalogChannel, version: string): ServedRelease[] {
  const from = parseVersion(version)
  const isBelow = (each: ServedRelease) => compareVersions(each.version, from) <= 0
  const { releases } = compiled
  return [...releases.filter(isBelow).toReversed(), ...releases.filter((each) => !isBelow(each))]
}
