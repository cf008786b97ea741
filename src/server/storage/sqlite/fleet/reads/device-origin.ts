import type { Connection } from '../../database.ts'
import type { StoredOrigin } from '../removal/stale-devices.ts'

const ORIGIN = 'SELECT app_key, device_id, first_seen, keyed FROM devices WHERE id = ?'

const OLDEST = `SELECT coalesce(
  (SELECT min(id) FROM check_ins), (SELECT last_check_in + 1 FROM telemetry_state))`

/** Reads the number of the oldest check-in of the log, or of the next one if there is none. */
export function createOldestReader(database: Connection): () => number {
  const oldest = database.prepare<[], number>(OLDEST).pluck()
  return () => oldest.get() ?? 0
}

/** Reads where a device came from; undefined if it is not stored. */
export function createOriginReader(
  database: Connection,
): (device: number) => StoredOrigin | undefined {
  const origin = database.prepare<[number], [number, string, number, 0 | 1]>(ORIGIN).raw()
  return (device) => {
    const row = origin.get(device)
    if (row === undefined) return undefined
    const [appKey, deviceId, firstSeen, keyed] = row
    return { appKey, deviceId, firstSeen, keyed: keyed === 1 }
  }
}
