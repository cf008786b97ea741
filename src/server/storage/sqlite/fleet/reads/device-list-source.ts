import type { NumberedProfile } from '../../../shared/batch.ts'
import { type IdRange, idRanges, likePrefix } from '../../../shared/id-ranges.ts'
import type { Connection } from '../../database.ts'
import { prepareAll } from '../../statements.ts'
import type { IndexedDevice, StoredDevice } from '../device-list/query.ts'
import { createSilence } from './health-reads.ts'

const SQL = {
  highest: 'SELECT coalesce(max(id), 0) FROM devices',
  reused: 'SELECT reused FROM telemetry_state',
  profiles: `SELECT id, channel_key AS channelKey, version, platform, arch
    FROM profiles WHERE id > ? ORDER BY id`,
  stored: 'SELECT device_id, labels, first_seen FROM devices WHERE id = ?',
  // LIKE compares ASCII letters of either case.
  beginning: `SELECT id FROM devices
    WHERE app_key = ? AND device_id >= ? AND device_id < ? AND device_id LIKE ? ESCAPE '\\'`,
  newBeginning: `SELECT id FROM devices
    WHERE id > ? AND +app_key = ? AND device_id LIKE ? ESCAPE '\\'`,
  // The text that JSON.stringify writes: keys contain no quotes, so it matches only at a key.
  labelled: `SELECT id FROM devices NOT INDEXED WHERE app_key = ? AND instr(labels, ?) > 0`,
  upwards: `SELECT id, device_id FROM devices
    WHERE app_key = ? AND device_id > ? AND device_id < ? AND device_id LIKE ? ESCAPE '\\'
    ORDER BY device_id LIMIT ?`,
  upwardsFrom: `SELECT id, device_id FROM devices
    WHERE app_key = ? AND device_id >= ? AND device_id < ? AND device_id LIKE ? ESCAPE '\\'
    ORDER BY device_id LIMIT ?`,
  downwards: `SELECT id, device_id FROM devices
    WHERE app_key = ? AND device_id >= ? AND device_id < ? AND device_id LIKE ? ESCAPE '\\'
    ORDER BY device_id DESC LIMIT ?`,
} as const

/** Returns the queries of a device list, on one connection: all of them see one snapshot while a page is read. */
export function createDeviceListSource(database: Connection) {
  const sql = prepareAll(database, SQL)
  for (const name of ['highest', 'reused', 'beginning', 'newBeginning', 'labelled'] as const) {
    sql[name].pluck()
  }
  for (const name of ['upwards', 'upwardsFrom', 'downwards'] as const) sql[name].raw()
  const walkRange = (range: IdRange, downwards: boolean, place: WalkPlace): IndexedDevice[] => {
    const { appKey, from, pattern, limit } = place
    if (downwards) {
      const end = from !== undefined && from < range.to ? from : range.to
      return sql.downwards.all(appKey, range.from, end, pattern, limit) as IndexedDevice[]
    }
    const isInside = from !== undefined && from >= range.from
    const statement = isInside ? sql.upwards : sql.upwardsFrom
    const start = isInside ? from : range.from
    return statement.all(appKey, start, range.to, pattern, limit) as IndexedDevice[]
  }
  return {
    /** The highest number of a stored device, 0 for none. Lower ones are stored or deleted. */
    highest: () => Number(sql.highest.get()),
    /** How often the number of a deleted device was reused. */
    reused: () => Number(sql.reused.get()),
    /** Profiles with higher numbers, ascending. */
    profilesAbove: (id: number) => sql.profiles.all(id) as NumberedProfile[],
    /** Tells which waiting devices are silent at a time (Unix ms), by the hour of their cell. */
    silence: createSilence(database),
    stored(device: number): StoredDevice | undefined {
      const row = sql.stored.get(device) as
        | { device_id: string; labels: string; first_seen: number }
        | undefined
      if (row === undefined) return undefined
      const labels = row.labels === '{}' ? {} : JSON.parse(row.labels)
      return { deviceId: row.device_id, labels, firstSeen: row.first_seen }
    },
    /** Devices with higher numbers than `above` whose ids begin with `prefix`, in either case. */
    beginningWith(appKey: number, prefix: string, above: number): readonly number[] {
      const pattern = likePrefix(prefix)
      if (above > 0) return sql.newBeginning.all(above, appKey, pattern) as number[]
      return idRanges(prefix).flatMap(
        ({ from, to }) => sql.beginning.all(appKey, from, to, pattern) as number[],
      )
    },
    /** Devices of the app with a label; `value` undefined for any. Reads every device. */
    withLabel(appKey: number, key: string, value: string | undefined): readonly number[] {
      const text = value === undefined ? '"' : JSON.stringify(value)
      return sql.labelled.all(appKey, `${JSON.stringify(key)}:${text}`) as number[]
    },
    /**
     * The next devices in the order of their ids, at most `limit`: those that begin with `prefix`, in
     * either case, beyond `from`, if given, upwards or downwards.
     */
    walk(
      appKey: number,
      prefix: string,
      from: string | undefined,
      downwards: boolean,
      limit: number,
    ): readonly IndexedDevice[] {
      const ranges = idRanges(prefix)
      const found: IndexedDevice[] = []
      for (const range of downwards ? ranges.reverse() : ranges) {
        if (found.length === limit) break
        const isPast = from !== undefined && (downwards ? range.from >= from : range.to <= from)
        if (isPast) continue
        const place = { appKey, from, pattern: likePrefix(prefix), limit: limit - found.length }
        found.push(...walkRange(range, downwards, place))
      }
      return found
    },
  }
}

export type DeviceListSource = ReturnType<typeof createDeviceListSource>

interface WalkPlace {
  readonly appKey: number
  readonly from: string | undefined
  readonly pattern: string
  readonly limit: number
}
