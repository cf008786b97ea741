import { SharedDevices } from '../../../shared/memory/shared-devices.ts'
import type { StaleDevice } from './forgotten-devices.ts'

/** Data of a stale device that only the store has. */
export interface StoredOrigin {
  readonly appKey: number
  readonly deviceId: string
  readonly firstSeen: number
  /** False if the first check-in came without a key. */
  readonly keyed: boolean
}

export interface StaleQuery {
  /** From `DeviceTable.share()`. */
  readonly chunks: readonly SharedArrayBuffer[]
  /** Devices last seen before this are stale. Unix milliseconds, like the next. */
  readonly before: number
  /** The same for devices that were seen only once, without a key. */
  readonly onceBefore: number
  /** Continues after this number; 0 starts. */
  readonly after: number
  readonly limit: number
}

export interface StalePage {
  readonly stale: readonly StaleDevice[]
  /** What `after` is for the next page; 0 at the end. */
  readonly next: number
}

/**
 * Finds devices that were not seen for a long time, in memory that is shared with the thread that
 * answers checks: a few milliseconds per million devices. `origin` is called only for the few that may
 * be stale.
 */
export function findStale(
  { chunks, before, onceBefore, after, limit }: StaleQuery,
  origin: (device: number) => StoredOrigin | undefined,
): StalePage {
  const devices = new SharedDevices(chunks)
  const { highest } = devices
  const stale: StaleDevice[] = []
  for (let device = after + 1; device <= highest; device++) {
    const lastSeen = devices.lastSeen(device)
    const unseen = lastSeen < before
    // After a second check-in, the newest change is an older one, unless the version changed.
    const once = lastSeen < onceBefore && devices.lastCheckIn(device) === devices.lastChange(device)
    if (!(unseen || once) || devices.profile(device) === 0) continue
    const stored = origin(device)
    if (stored === undefined) continue
    const { appKey, deviceId, firstSeen, keyed } = stored
    if (!unseen && (keyed || firstSeen !== lastSeen)) continue
    if (stale.push({ appKey, deviceId, device, lastSeen }) === limit) {
      return { stale, next: device }
    }
  }
  return { stale, next: 0 }
}

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
