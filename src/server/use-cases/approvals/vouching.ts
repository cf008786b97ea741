import {
  canonicalArch,
  canonicalPlatform,
  isKnownArch,
  isKnownPlatform,
} from '../../../shared/devices/aliases.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { NamedBy } from '../../fleet/profile-claim.ts'
import {
  compareVersions,
  type ParsedVersion,
  UNKNOWN_VERSION,
} from '../../rules/decision/version.ts'
import { oncePer } from '../../runtime/once-per.ts'

type Releases = CatalogChannel['compiled']['releases']

/** Returns who vouches for the version and platform in a check without a key. */
export function vouchedBy(
  { compiled: { releases } }: CatalogChannel,
  version: ParsedVersion,
  platform: string,
  arch: string,
): NamedBy {
  if (version === UNKNOWN_VERSION) return vouchedWithoutVersion(platform, arch)
  if (!hasVersion(releases, version)) return 'caller'
  if (isKnownPlatform(platform) && isKnownArch(arch)) return 'release'
  const { platforms, arches } = namedIn(releases)
  const isKnown =
    (isKnownPlatform(platform) || platforms.has(canonicalPlatform(platform))) &&
    (isKnownArch(arch) || arches.has(canonicalArch(arch)))
  return isKnown ? 'release' : 'version'
}

/** Returns the version that a device counts under: all that do not name theirs count as other. */
export function runningVersion(version: ParsedVersion): string {
  return version === UNKNOWN_VERSION ? OTHER : version.text
}

/** A feed names one of few platforms, and often no arch. */
function vouchedWithoutVersion(platform: string, arch: string): NamedBy {
  const isKnown = isKnownPlatform(platform) && (arch === '' || isKnownArch(arch))
  return isKnown ? 'release' : 'caller'
}

/** Binary search in the releases, which are sorted by version. */
function hasVersion(releases: Releases, version: ParsedVersion): boolean {
  let [low, high] = [0, releases.length - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const release = releases[middle]
    if (release === undefined) return false
    const order = compareVersions(release.version, version)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return false
}

/** Canonical platforms and architectures that artifacts of a channel name. A change replaces its releases. */
const namedIn = oncePer((releases: Releases) => {
  const [platforms, arches] = [new Set<string>(), new Set<string>()]
  for (const { artifacts } of releases) {
    for (const [platform, byArch] of artifacts) {
      platforms.add(platform)
      for (const arch of byArch.keys()) arches.add(arch)
    }
  }
  return { platforms, arches }
})
