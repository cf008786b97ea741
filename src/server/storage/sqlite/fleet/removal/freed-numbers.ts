import { SharedDevices } from '../../../shared/memory/shared-devices.ts'

/** Most numbers handed over at once: enough for an hour. */
const AT_ONCE = 500_000

/**
 * Finds numbers of forgotten devices that have no check-ins left in the log, in memory that is shared
 * with the thread that answers checks. `oldest`: the oldest check-in of the log, or the next one if it
 * is empty. A number reused too early would lead to the check-ins of another device.
 */
export function findFreed(chunks: readonly SharedArrayBuffer[], oldest: number): Int32Array {
  const devices = new SharedDevices(chunks)
  const freed: number[] = []
  for (let device = 1; device <= devices.room && freed.length < AT_ONCE; device++) {
    const lastCheckIn = devices.lastCheckIn(device)
    // An unused number has none.
    if (lastCheckIn === 0 || lastCheckIn >= oldest || devices.profile(device) !== 0) continue
    freed.push(device)
  }
  return Int32Array.from(freed)
}
