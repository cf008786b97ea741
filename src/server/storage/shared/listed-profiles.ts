import { canonicalArch, canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { DeviceFilter, DevicePage } from '../../fleet/device-query.ts'
import type { InstallProfile } from '../../fleet/facts.ts'

/** Maximum number of values in each list of choices. */
const MAX_CHOICES = 200

/** Whether devices of the profile are listed, if those of its channel are. */
export function hasProfile(
  profile: InstallProfile,
  { version, platform, arch }: Pick<DeviceFilter, 'version' | 'platform' | 'arch'>,
): boolean {
  return (
    (version === undefined || profile.version === version) &&
    (platform === undefined || canonicalPlatform(profile.platform) === platform) &&
    (arch === undefined || canonicalArch(profile.arch) === arch)
  )
}

/** Returns what a list can be filtered by, most devices first. */
export function choicesOf(
  counted: readonly (readonly [profile: InstallProfile, devices: number])[],
): Pick<DevicePage, 'versions' | 'platforms' | 'arches'> {
  const mostCommon = (part: 'version' | 'platform' | 'arch') => {
    const counts = new Map<string, number>()
    for (const [{ [part]: text }, devices] of counted) {
      if (devices > 0 && text !== '') counts.set(text, (counts.get(text) ?? 0) + devices)
    }
    const sorted = [...counts].sort(([, a], [, b]) => b - a)
    return sorted.slice(0, MAX_CHOICES).map(([text]) => text)
  }
  const [versions, platforms] = [mostCommon('version'), mostCommon('platform')]
  return { versions, platforms, arches: mostCommon('arch') }
}
