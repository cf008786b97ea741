import { SharedDevices } from '../../../shared/memory/shared-devices.ts'
import type { Connection } from '../../database.ts'
import type { StaleDevice } from './forgotten-devices.ts'

/** Data of a stale device that only the store has. */
interface StoredOrigin {
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

interface StalePage {
  readonly stale: readonly StaleDevice[]
  /** What `after` is for the next page; 0 at the end. */
  readonly next: number
}

/**
 * Finds devices that were not seen for a long time, in memory that is shared with the thread that
 * answers checks: a few milliseconds per million devices. `origin` is called only for the few that may
 * be stale.
 */
function findStale(
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
function findFreed(chunks: readonly SharedArrayBuffer[], oldest: number): Int32Array {
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

const ORIGIN = 'SELECT app_key, device_id, first_seen, keyed FROM devices WHERE id = ?'

const OLDEST = `SELECT coalesce(
  (SELECT min(id) FROM check_ins), (SELECT last_check_in + 1 FROM telemetry_state))`

/** Reads the number of the oldest check-in of the log, or of the next one if there is none. */
function createOldestReader(database: Connection): () => number {
  const oldest = database.prepare<[], number>(OLDEST).pluck()
  return () => oldest.get() ?? 0
}

/** Reads where a device came from; undefined if it is not stored. */
function createOriginReader(database: Connection): (device: number) => StoredOrigin | undefined {
  const origin = database.prepare<[number], [number, string, number, 0 | 1]>(ORIGIN).raw()
  return (device) => {
    const row = origin.get(device)
    if (row === undefined) return undefined
    const [appKey, deviceId, firstSeen, keyed] = row
    return { appKey, deviceId, firstSeen, keyed: keyed === 1 }
  }
}

/** Creates the readers of what can be deleted, and of numbers that can be reused. */
export function createRetentionReaders(database: Connection) {
  const origin = createOriginReader(database)
  const oldestCheckIn = createOldestReader(database)
  return {
    staleDevices: (query: StaleQuery) => findStale(query, origin),
    freedDevices: (chunks: readonly SharedArrayBuffer[]) => findFreed(chunks, oldestCheckIn()),
  }
}
