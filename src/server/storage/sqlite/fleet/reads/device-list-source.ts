import type { NumberedProfile } from '../../../shared/batch.ts'
import { type IdRange, idRanges, likePrefix } from '../../../shared/id-ranges.ts'
import type { Connection } from '../../database.ts'
import { prepareAll, type Statement } from '../../statements.ts'
import type { DeviceListSource, IndexedDevice, StoredDevice } from '../device-list/query.ts'
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

/** The queries of a device list on one connection. */
export class SqliteDeviceListSource implements DeviceListSource {
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>

  readonly #silence: (now: number) => (hour: number) => boolean

  constructor(database: Connection) {
    this.#silence = createSilence(database)
    this.#sql = prepareAll(database, SQL)
    for (const name of ['highest', 'reused', 'beginning', 'newBeginning', 'labelled'] as const) {
      this.#sql[name].pluck()
    }
    for (const name of ['upwards', 'upwardsFrom', 'downwards'] as const) this.#sql[name].raw()
  }

  highest(): number {
    return Number(this.#sql.highest.get())
  }

  reused(): number {
    return Number(this.#sql.reused.get())
  }

  profilesAbove(id: number): NumberedProfile[] {
    return this.#sql.profiles.all(id) as NumberedProfile[]
  }

  silence(now: number): (hour: number) => boolean {
    return this.#silence(now)
  }

  stored(device: number): StoredDevice | undefined {
    const row = this.#sql.stored.get(device) as
      | { device_id: string; labels: string; first_seen: number }
      | undefined
    if (row === undefined) return undefined
    const labels = row.labels === '{}' ? {} : JSON.parse(row.labels)
    return { deviceId: row.device_id, labels, firstSeen: row.first_seen }
  }

  beginningWith(appKey: number, prefix: string, above: number): readonly number[] {
    const pattern = likePrefix(prefix)
    if (above > 0) return this.#sql.newBeginning.all(above, appKey, pattern) as number[]
    return idRanges(prefix).flatMap(
      ({ from, to }) => this.#sql.beginning.all(appKey, from, to, pattern) as number[],
    )
  }

  withLabel(appKey: number, key: string, value: string | undefined): readonly number[] {
    const text = value === undefined ? '"' : JSON.stringify(value)
    return this.#sql.labelled.all(appKey, `${JSON.stringify(key)}:${text}`) as number[]
  }

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
      found.push(...this.#walkRange(range, downwards, place))
    }
    return found
  }

  #walkRange(range: IdRange, downwards: boolean, place: WalkPlace): IndexedDevice[] {
    const { appKey, from, pattern, limit } = place
    if (downwards) {
      const end = from !== undefined && from < range.to ? from : range.to
      return this.#sql.downwards.all(appKey, range.from, end, pattern, limit) as IndexedDevice[]
    }
    const isInside = from !== undefined && from >= range.from
    const statement = isInside ? this.#sql.upwards : this.#sql.upwardsFrom
    const start = isInside ? from : range.from
    return statement.all(appKey, start, range.to, pattern, limit) as IndexedDevice[]
  }
}

interface WalkPlace {
  readonly appKey: number
  readonly from: string | undefined
  readonly pattern: string
  readonly limit: number
}
