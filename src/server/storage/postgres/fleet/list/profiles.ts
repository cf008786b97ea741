import { canonicalArch, canonicalPlatform } from '../../../../../shared/aliases.ts'
import { OTHER } from '../../../../../shared/counting.ts'
import { compareVersions, parseVersion } from '../../../../decision/version.ts'
import type { DeviceFilter, DevicePage } from '../../../../fleet/device-query.ts'
import type { Queries } from '../../connection/database.ts'

/** Most values in each list of choices. */
const MAX_CHOICES = 200

const COUNTED = `SELECT profiles.id, channel_key AS "channelKey", version, platform, arch,
    coalesce(sum(devices), 0) AS devices
  FROM profiles LEFT JOIN presence ON presence.profile = profiles.id
  WHERE channel_key = ANY($1) GROUP BY profiles.id`

/** A profile, and how many devices have it. */
export interface CountedProfile {
  readonly id: number
  readonly channelKey: number
  readonly version: string
  readonly platform: string
  readonly arch: string
  readonly devices: number
}

/** Reads the profiles of an app from the counters, which are those of the devices in the same snapshot. */
export function countedProfiles(
  snapshot: Queries,
  channels: readonly number[],
): Promise<CountedProfile[]> {
  return snapshot.rows(COUNTED, [channels])
}

/** Returns the profiles whose devices are listed. */
export function accepted(
  profiles: readonly CountedProfile[],
  { channels, version, platform, arch }: DeviceFilter,
): CountedProfile[] {
  return profiles.filter(
    (profile) =>
      channels.includes(profile.channelKey) &&
      (version === undefined || profile.version === version) &&
      (platform === undefined || canonicalPlatform(profile.platform) === platform) &&
      (arch === undefined || canonicalArch(profile.arch) === arch),
  )
}

export function devicesOf(profiles: readonly CountedProfile[]): number {
  return profiles.reduce((sum, { devices }) => sum + devices, 0)
}

/** Returns what a list can be filtered by, most devices first. */
export function choicesOf(
  profiles: readonly CountedProfile[],
): Pick<DevicePage, 'versions' | 'platforms' | 'arches'> {
  return {
    versions: mostCommon(profiles, 'version'),
    platforms: mostCommon(profiles, 'platform'),
    arches: mostCommon(profiles, 'arch'),
  }
}

/** Compares versions as a list sorts them: other is the lowest. */
export function compareListed(one: string, two: string): number {
  if (one === two) return 0
  if (one === OTHER) return -1
  return two === OTHER ? 1 : compareVersions(parseVersion(one), parseVersion(two))
}

function mostCommon(
  profiles: readonly CountedProfile[],
  part: 'version' | 'platform' | 'arch',
): string[] {
  const counts = new Map<string, number>()
  for (const profile of profiles) {
    if (profile.devices <= 0) continue
    counts.set(profile[part], (counts.get(profile[part]) ?? 0) + profile.devices)
  }
  return [...counts]
    .filter(([text]) => text !== '')
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CHOICES)
    .map(([text]) => text)
}
