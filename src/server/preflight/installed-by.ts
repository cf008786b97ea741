import { sha512InHex } from '../../shared/artifacts/sha512.ts'
import { releaseOn } from '../catalog/catalog.ts'
import type { CatalogChannel, ServedRelease } from '../catalog/snapshot.ts'
import { compareVersions, parseVersion } from '../rules/decision/version.ts'
import { type Installed, installedFrom } from './clients/clients.ts'
import type { KnownFiles } from './files/continuity.ts'
import type { DeviceGroup } from './groups.ts'
import type { Trial } from './walk.ts'

/**
 * Returns the updaters that a group can have: those that its version is built for, else those of the nearest release that has
 * files for it.
 */
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
