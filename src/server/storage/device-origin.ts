import type { StoredOrigin } from '../fleet/stale-devices.ts'
import type { Connection } from './database.ts'

const ORIGIN = 'SELECT app_key, device_id, first_seen, keyed FROM devices WHERE id = ?'

/** Reads where a device came from; undefined where it is not stored. */
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
