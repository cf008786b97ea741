import type Database from 'better-sqlite3'
import type { CatalogRemoval, RemovalOutcome } from '../../../../catalog/store.ts'
import type { LabelDelta } from '../../../../fleet/labels.ts'
import {
  CHECK_IN_WIDTH,
  COUNTER_WIDTH,
  DEVICE_ROW_WIDTH,
  type LogSweep,
  type NewDevice,
  PROFILE_ROW_WIDTH,
  type TelemetryBatch,
  TRAFFIC_WIDTH,
} from '../../../shared/batch.ts'
import {
  giveWay,
  prepareAll,
  type RowStatement,
  runPacked,
  type Statement,
} from '../../statements.ts'
import { remove, removeDevices } from './catalog-removal.ts'
import { CheckInSweep } from './check-in-sweep.ts'
import { DeviceChanges } from './device-changes.ts'
import { GoneDevices } from './gone-devices.ts'
import { HealthSamples } from './health-samples.ts'
import { ProfileRetirement } from './profile-retirement.ts'
import { SetAside } from './set-aside.ts'
import { CHECK_INS_AT_ONCE, SQL } from './writer-sql.ts'

type RowStatements = Readonly<Record<keyof typeof SQL, RowStatement>>

/** Applies telemetry batches to one connection. Use it on a separate thread. */
export class FleetWriter {
  readonly #database: Database.Database
  readonly #statements: Record<keyof typeof SQL, Statement>
  readonly #changes: DeviceChanges
  readonly #gone: GoneDevices
  readonly #retirement: ProfileRetirement
  readonly #setAside: SetAside
  readonly #sweep: CheckInSweep
  readonly #samples: HealthSamples
  readonly #apply: (batch: TelemetryBatch, rows: RowStatements) => number
  readonly #deleteHourly: (before: number, profiles: readonly unknown[]) => void

  constructor(database: Database.Database) {
    this.#database = database
    this.#statements = prepareAll(database, SQL)
    this.#changes = new DeviceChanges(database)
    this.#gone = new GoneDevices(database, this.#changes)
    this.#retirement = new ProfileRetirement(database)
    this.#setAside = new SetAside(database)
    this.#sweep = new CheckInSweep(database)
    this.#samples = new HealthSamples(database)
    this.#apply = database.transaction((batch: TelemetryBatch, rows: RowStatements) =>
      this.#write(batch, rows),
    ).immediate
    this.#deleteHourly = database.transaction((before: number, profiles: readonly unknown[]) => {
      for (const profile of profiles) this.#statements.deleteHourly.run(profile, before)
    })
  }

  /**
   * Commits the batch in one transaction and returns the milliseconds that its device rows took. A batch that
   * is already committed changes nothing, so a retry after a lost result is safe.
   */
  commit(batch: TelemetryBatch): number {
    // First, because a new profile may have the same content.
    this.#retirement.retire(batch.retired)
    return this.#apply(batch, this.#statements)
  }

  /** Implements `TelemetryDatabase.salvage`. */
  salvage(batch: TelemetryBatch): number {
    const rows = this.#setAside.guard(this.#statements, batch.number)
    this.#retirement.retire(batch.retired)
    this.#setAside.begin()
    this.#apply(batch, rows)
    return this.#setAside.lost
  }

  /** Implements `TelemetryDatabase.deleteCheckIns`. */
  deleteCheckIns(before: number, now: number, limit: number): number {
    return this.#statements.deleteCheckIns.run(now, limit, before).changes
  }

  /** Implements `TelemetryDatabase.sweepCheckIns`. */
  sweepCheckIns(sweep: LogSweep, before: number, now: number, limit: number): LogSweep {
    return this.#sweep.next(sweep, before, now, limit)
  }

  /** Implements `TelemetryDatabase.deleteHourlyAdoption`. */
  deleteHourlyAdoption(before: number, after: number, limit: number): number {
    const profiles = this.#statements.profilesAfter.pluck().all(after, limit)
    this.#deleteHourly(before, profiles)
    return profiles.length < limit ? 0 : Number(profiles.at(-1))
  }

  /** Implements `TelemetryDatabase.sampleHealth`. */
  sampleHealth(now: number): void {
    this.#samples.take(now)
  }

  /** Implements `FleetDatabase.remove`. */
  remove(removal: CatalogRemoval, devices: Int32Array): RemovalOutcome {
    return remove(this.#database, removal, devices)
  }

  /** Implements `FleetDatabase.removeDevices`. */
  removeDevices(devices: Int32Array): void {
    removeDevices(this.#database, devices)
  }

  #write(batch: TelemetryBatch, sql: RowStatements): number {
    if (Number(this.#statements.state.pluck().get()) >= batch.number) return 0
    for (const profile of batch.profiles) {
      const { id, channelKey, version, platform, arch, namedBy, lastDay } = profile
      sql.insertProfile.run(id, channelKey, version, platform, arch, namedBy, lastDay)
    }
    runPacked(sql.updateProfile, batch.profileRows, PROFILE_ROW_WIDTH)
    const lastCheckIn = this.#appendCheckIns(sql, batch.checkIns)
    this.#changes.append(sql.insertChange, batch.changes)
    this.#gone.delete(batch.gone)
    this.#gone.carriedOut(batch.erased)
    this.#gone.reuse(batch.newDevices)
    insertDevices(sql, batch.newDevices)
    for (const { number, id, channelKey, version, offeredAt } of batch.releases) {
      sql.insertRelease.run(number, id, channelKey, version, offeredAt)
    }
    addCells(sql.addHealth, sql.deleteEmptyHealth, batch.health)
    for (const { release, checkIn, device, at, detail } of batch.details) {
      sql.addDetail.run(release, checkIn, device, at, detail)
      sql.trimDetails.run({ release })
    }
    addCells(sql.addAdoption, sql.deleteEmptyAdoption, batch.adoption)
    addCells(sql.addHourly, sql.deleteEmptyHourly, batch.hourly)
    addCells(sql.addPresence, sql.deleteEmptyPresence, batch.presence)
    runPacked(sql.addTraffic, batch.traffic, TRAFFIC_WIDTH)
    for (const [device, change] of batch.labels) sql.changeLabels.run(patchOf(change), device)
    const began = performance.now()
    runPacked(sql.updateState, batch.deviceRows, DEVICE_ROW_WIDTH)
    const milliseconds = performance.now() - began
    const lost = batch.lost + (sql === this.#statements ? 0 : this.#setAside.lost)
    sql.setState.run(batch.number, lastCheckIn, batch.rowsThrough, lost)
    return milliseconds
  }

  #appendCheckIns(sql: RowStatements, rows: Float64Array): number {
    // One by one where those that are refused are set aside.
    const stored = sql === this.#statements ? this.#appendMany(rows) : 0
    runPacked(sql.insertCheckIn, rows.subarray(stored), CHECK_IN_WIDTH)
    if (rows.length > 0) return rows[rows.length - CHECK_IN_WIDTH] ?? 0
    return Number(this.#statements.lastCheckIn.pluck().get())
  }

  /** Appends as many as fill statements. Returns how many of the numbers those are. */
  #appendMany(rows: Float64Array): number {
    const width = CHECK_IN_WIDTH * CHECK_INS_AT_ONCE
    const end = rows.length - (rows.length % width)
    for (let at = 0; at < end; at += width) {
      giveWay()
      this.#statements.insertCheckIns.run(...rows.subarray(at, at + width))
    }
    return end
  }
}

/** Adds to a counter. Deletes cells that return to zero: they would be read at every start and overview. */
function addCells(add: RowStatement, deleteEmpty: RowStatement, cells: Float64Array): void {
  runPacked(add, cells, COUNTER_WIDTH)
  for (let at = 0; at < cells.length; at += COUNTER_WIDTH) {
    if ((cells[at + 2] ?? 0) <= 0) deleteEmpty.run(cells[at], cells[at + 1])
  }
}

function insertDevices(sql: RowStatements, devices: readonly NewDevice[]): void {
  for (const device of devices) {
    const { id, profile, lastSeen, lastCheckIn, lastChange, episode, keyed } = device
    const { offeredAt, evidence } = device
    sql.insertDevice.run(id, device.appKey, device.deviceId, device.firstSeen, keyed ? 1 : 0)
    const state = [profile, lastSeen, lastCheckIn, lastChange, episode, offeredAt, evidence]
    sql.insertState.run(id, ...state)
  }
}

function patchOf({ set, remove }: LabelDelta): string {
  if (remove.length === 0) return JSON.stringify(set)
  const removed = remove.map((key) => [key, null] as const)
  return JSON.stringify(Object.fromEntries([...Object.entries(set), ...removed]))
}
