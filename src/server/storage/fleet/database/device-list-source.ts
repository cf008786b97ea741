import type { Connection } from '../../sqlite/database.ts'
import { prepareAll, type Statement } from '../../sqlite/statements.ts'
import type { NumberedProfile } from '../batch.ts'
import type { DeviceListSource, IndexedDevice, StoredDevice } from '../device-list/source.ts'

const SQL = {
  highest: 'SELECT coalesce(max(id), 0) FROM devices',
  reused: 'SELECT reused FROM telemetry_state',
  profiles: `SELECT id, channel_key AS channelKey, version, platform, arch
    FROM profiles WHERE id > ? ORDER BY id`,
  stored: 'SELECT device_id, labels, first_seen FROM devices WHERE id = ?',
  beginning: 'SELECT id FROM devices WHERE app_key = ? AND device_id >= ? AND device_id < ?',
  newBeginning: `SELECT id FROM devices
    WHERE id > ? AND +app_key = ? AND device_id >= ? AND device_id < ?`,
  // Text as it is written by JSON.stringify: a key holds no quote, so it cannot begin elsewhere.
  labelled: `SELECT id FROM devices NOT INDEXED WHERE app_key = ? AND instr(labels, ?) > 0`,
  upwards: `SELECT id, device_id FROM devices
    WHERE app_key = ? AND device_id > ? AND device_id < ? ORDER BY device_id LIMIT ?`,
  upwardsFrom: `SELECT id, device_id FROM devices
    WHERE app_key = ? AND device_id >= ? AND device_id < ? ORDER BY device_id LIMIT ?`,
  downwards: `SELECT id, device_id FROM devices
    WHERE app_key = ? AND device_id >= ? AND device_id < ? ORDER BY device_id DESC LIMIT ?`,
} as const

/** Above every character of a device id, which is printable ASCII. */
const ABOVE_ALL = '\x7f'

/** What a list of devices asks, from one connection. */
export class SqliteDeviceListSource implements DeviceListSource {
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>

  constructor(database: Connection) {
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

  stored(device: number): StoredDevice | undefined {
    const row = this.#sql.stored.get(device) as
      | { device_id: string; labels: string; first_seen: number }
      | undefined
    if (row === undefined) return undefined
    const labels = row.labels === '{}' ? {} : JSON.parse(row.labels)
    return { deviceId: row.device_id, labels, firstSeen: row.first_seen }
  }

  beginningWith(appKey: number, prefix: string, above: number): readonly number[] {
    const range = [appKey, prefix, prefix + ABOVE_ALL]
    const rows =
      above === 0 ? this.#sql.beginning.all(...range) : this.#sql.newBeginning.all(above, ...range)
    return rows as number[]
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
    const end = prefix + ABOVE_ALL
    if (downwards) {
      return this.#sql.downwards.all(appKey, prefix, from ?? end, limit) as IndexedDevice[]
    }
    const statement = from === undefined ? this.#sql.upwardsFrom : this.#sql.upwards
    return statement.all(appKey, from ?? prefix, end, limit) as IndexedDevice[]
  }
}
