import type Database from 'better-sqlite3'
import { CHECK_IN_WIDTH, type TelemetryBatch } from '../fleet/store.ts'
import { prepareAll, type Statement } from './statements.ts'

const SQL = {
  state: 'SELECT batch FROM telemetry_state',
  setState: 'UPDATE telemetry_state SET batch = ?, last_check_in = ?, rows_through = ?, lost = ?',
  lastCheckIn: 'SELECT last_check_in FROM telemetry_state',
  insertProfile:
    'INSERT INTO profiles (id, channel_key, version, platform, arch) VALUES (?, ?, ?, ?, ?)',
  insertDevice: 'INSERT INTO devices (id, app_key, device_id, first_seen) VALUES (?, ?, ?, ?)',
  insertState: 'INSERT INTO device_states (device, profile, last_seen) VALUES (?, ?, ?)',
  insertCheckIn: 'INSERT INTO check_ins (id, device, at, profile, kind) VALUES (?, ?, ?, ?, ?)',
  setLabels: 'UPDATE devices SET labels = ? WHERE id = ?',
  updateState: 'UPDATE device_states SET profile = ?, last_seen = ? WHERE device = ?',
  addAdoption: `INSERT INTO adoption (profile, day, devices) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET devices = max(0, devices + excluded.devices)`,
  addPresence: `INSERT INTO presence (profile, day, devices) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET devices = max(0, devices + excluded.devices)`,
  addTraffic: `INSERT INTO traffic (channel_key, hour, check_ins, anonymous, offers)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET check_ins = check_ins + excluded.check_ins,
      anonymous = anonymous + excluded.anonymous, offers = offers + excluded.offers`,
  deleteCheckIns: `DELETE FROM check_ins WHERE id IN (
      SELECT id FROM check_ins
      WHERE id <= (SELECT rows_through FROM telemetry_state) AND at <= ? ORDER BY id LIMIT ?
    ) AND at < ?`,
} as const

/** Applies telemetry batches to one connection; meant for a thread of its own. */
export class FleetWriter {
  readonly #statements: Record<keyof typeof SQL, Statement>
  readonly #apply: (batch: TelemetryBatch) => number

  constructor(database: Database.Database) {
    this.#statements = prepareAll(database, SQL)
    this.#apply = database.transaction((batch: TelemetryBatch) => this.#write(batch)).immediate
  }

  /**
   * Commits the batch in one transaction and answers the milliseconds that its device rows took.
   * A batch that is committed already changes nothing, so a retry after a lost answer is safe.
   */
  commit(batch: TelemetryBatch): number {
    return this.#apply(batch)
  }

  /** Deletes check-ins as `FleetStore.deleteCheckIns` says. */
  deleteCheckIns(before: number, now: number, limit: number): number {
    return this.#statements.deleteCheckIns.run(now, limit, before).changes
  }

  #write(batch: TelemetryBatch): number {
    const sql = this.#statements
    if (Number(sql.state.pluck().get()) >= batch.number) return 0
    for (const { id, channelKey, version, platform, arch } of batch.profiles) {
      sql.insertProfile.run(id, channelKey, version, platform, arch)
    }
    for (const { id, appKey, deviceId, profile, firstSeen, lastSeen } of batch.newDevices) {
      sql.insertDevice.run(id, appKey, deviceId, firstSeen)
      sql.insertState.run(id, profile, lastSeen)
    }
    const lastCheckIn = this.#appendCheckIns(batch.checkIns)
    runThrees(sql.addAdoption, batch.adoption)
    runThrees(sql.addPresence, batch.presence)
    runFives(sql.addTraffic, batch.traffic)
    for (const [device, labels] of batch.labels) sql.setLabels.run(JSON.stringify(labels), device)
    const began = performance.now()
    runThrees(sql.updateState, batch.deviceRows)
    const milliseconds = performance.now() - began
    sql.setState.run(batch.number, lastCheckIn, batch.rowsThrough, batch.lost)
    return milliseconds
  }

  #appendCheckIns(rows: Float64Array): number {
    runFives(this.#statements.insertCheckIn, rows)
    if (rows.length > 0) return rows[rows.length - CHECK_IN_WIDTH] ?? 0
    return Number(this.#statements.lastCheckIn.pluck().get())
  }
}

/** Runs the statement once for every three numbers. */
function runThrees(statement: Statement, packed: Float64Array): void {
  for (let at = 0; at < packed.length; at += 3) {
    statement.run(packed[at], packed[at + 1], packed[at + 2])
  }
}

/** Runs the statement once for every five numbers. */
function runFives(statement: Statement, packed: Float64Array): void {
  for (let at = 0; at < packed.length; at += 5) {
    statement.run(packed[at], packed[at + 1], packed[at + 2], packed[at + 3], packed[at + 4])
  }
}
