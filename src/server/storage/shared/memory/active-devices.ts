import { type SeenPeriod, seenSince } from '../../../fleet/time.ts'
import { DOUBLES, INTEGERS, LAST_SEEN, PROFILE, viewsOf } from './shared-devices.ts'

/** Recently seen devices by the profile of their last check-in. */
export interface ActiveDevices {
  /** Profiles that a device was seen with in the last 90 days, ascending. The counts are in this order. */
  readonly profiles: Int32Array
  /** Devices of each profile, by how long ago they were last seen. */
  readonly devices: Readonly<Record<SeenPeriod, Int32Array>>
}

/**
 * Counts every device in one pass over `chunks`, from `DeviceTable.share()`, as of `now` (Unix ms):
 * a few milliseconds per million devices. A last check-in in the future counts. Profiles with numbers
 * above `highestProfile` are left out.
 */
export function countActiveDevices(
  chunks: readonly SharedArrayBuffer[],
  now: number,
  highestProfile: number,
): ActiveDevices {
  const [inDay, inWeek, inMonth, inQuarter] = [
    new Int32Array(highestProfile + 1),
    new Int32Array(highestProfile + 1),
    new Int32Array(highestProfile + 1),
    new Int32Array(highestProfile + 1),
  ]
  const [day, week, month, quarter] = [
    seenSince('24h', now),
    seenSince('7d', now),
    seenSince('30d', now),
    seenSince('90d', now),
  ]
  for (const chunk of chunks) {
    const { integers, doubles } = viewsOf(chunk)
    for (
      let at = PROFILE, seen = LAST_SEEN;
      at < integers.length;
      at += INTEGERS, seen += DOUBLES
    ) {
      const lastSeen = doubles[seen] ?? 0
      if (lastSeen < quarter) continue
      // Numbers that are not in use have profile 0, which is left out below.
      const profile = integers[at] ?? 0
      inQuarter[profile] = (inQuarter[profile] ?? 0) + 1
      if (lastSeen >= month) inMonth[profile] = (inMonth[profile] ?? 0) + 1
      if (lastSeen >= week) inWeek[profile] = (inWeek[profile] ?? 0) + 1
      if (lastSeen >= day) inDay[profile] = (inDay[profile] ?? 0) + 1
    }
  }
  const found: number[] = []
  for (let id = 1; id <= highestProfile; id++) if (inQuarter[id] !== 0) found.push(id)
  const profiles = Int32Array.from(found)
  const of = (counts: Int32Array) => profiles.map((id) => counts[id] ?? 0)
  return {
    profiles,
    devices: { '24h': of(inDay), '7d': of(inWeek), '30d': of(inMonth), '90d': of(inQuarter) },
  }
}
