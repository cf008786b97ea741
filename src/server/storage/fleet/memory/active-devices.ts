import { days } from '../../../fleet/time.ts'
import { DOUBLES, INTEGERS, LAST_SEEN, PROFILE, viewsOf } from './shared-devices.ts'

/** Devices that were seen lately, by the profile of their last check-in. */
export interface ActiveDevices {
  /** Profiles that any device was seen with in 7 days, ascending; the other two go by it. */
  readonly profiles: Int32Array
  /** Devices whose last check-in was at most 24 hours ago. */
  readonly last24Hours: Int32Array
  /** The same of 7 times 24 hours. */
  readonly last7Days: Int32Array
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
  const [dayAgo, weekAgo] = [now - days(1), now - days(7)]
  const inDay = new Int32Array(highestProfile + 1)
  const inWeek = new Int32Array(highestProfile + 1)
  for (const chunk of chunks) {
    const { integers, doubles } = viewsOf(chunk)
    for (
      let at = PROFILE, seen = LAST_SEEN;
      at < integers.length;
      at += INTEGERS, seen += DOUBLES
    ) {
      const lastSeen = doubles[seen] ?? 0
      if (lastSeen < weekAgo) continue
      // Numbers that are not in use have profile 0, which is left out below.
      const profile = integers[at] ?? 0
      inWeek[profile] = (inWeek[profile] ?? 0) + 1
      if (lastSeen >= dayAgo) inDay[profile] = (inDay[profile] ?? 0) + 1
    }
  }
  const found: number[] = []
  for (let id = 1; id <= highestProfile; id++) if (inWeek[id] !== 0) found.push(id)
  const profiles = Int32Array.from(found)
  return {
    profiles,
    last24Hours: profiles.map((id) => inDay[id] ?? 0),
    last7Days: profiles.map((id) => inWeek[id] ?? 0),
  }
}
