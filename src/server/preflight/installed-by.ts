import { releaseOn } from '../catalog/catalog.ts'
import type { CatalogChannel, ServedRelease } from '../catalog/snapshot.ts'
import { compareVersions, parseVersion } from '../decision/version.ts'
import { type Installed, installedFrom } from './clients/clients.ts'
import type { DeviceGroup } from './groups.ts'
import type { Trial } from './walk.ts'

/**
 * Returns the updaters that a group can have: those that its version is built for, else those of the nearest release that has
 * files for it.
 */
export function installedBy(
  { channel, release }: Trial,
  { version, platform, arch }: Pick<DeviceGroup, 'version' | 'platform' | 'arch'>,
): Installed[] {
  const own = releaseOn(channel, version)
  const releases = [...(own === undefined ? [] : [own]), ...nearest(channel, version), release]
  for (const { facts } of releases) {
    const installed = installedFrom(facts, platform, arch)
    if (installed.length > 0) return installed
  }
  return [{ client: 'update_check', bundle: '' }]
}

/** Those below a version from the highest on, then those above it. */
function nearest({ compiled }: CatalogChannel, version: string): ServedRelease[] {
  const from = parseVersion(version)
  const isBelow = (each: ServedRelease) => compareVersions(each.version, from) <= 0
  const { releases } = compiled
  return [...releases.filter(isBelow).toReversed(), ...releases.filter((each) => !isBelow(each))]
}
