import type { DeviceFilter } from '../../../../fleet/device-query.ts'
import { hasProfile } from '../../../shared/listed-profiles.ts'
import type { Queries } from '../../connection/queries.ts'

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
  filter: DeviceFilter,
): CountedProfile[] {
  return profiles.filter(
    (profile) => filter.channels.includes(profile.channelKey) && hasProfile(profile, filter),
  )
}

export function devicesOf(profiles: readonly CountedProfile[]): number {
  return profiles.reduce((sum, { devices }) => sum + devices, 0)
}
