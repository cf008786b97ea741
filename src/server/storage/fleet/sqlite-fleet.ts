import type { CatalogRemoval, RemovalOutcome } from '../../catalog/store.ts'
import type { DeviceName, InstallProfile } from '../../fleet/facts.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { FleetOptions } from '../../fleet/fleet-options.ts'
import type { Heartbeat } from '../../fleet/heartbeat.ts'
import type { CheckInRule, DeviceRule, TelemetryHealth } from '../../fleet/store.ts'
import type { StoredFleet } from '../interface/storage.ts'
import { storageProblem } from '../sqlite/errors.ts'
import type { FleetDatabase } from './database/fleet-database.ts'
import { FleetInMemory } from './fleet-in-memory.ts'
import { FleetViews } from './fleet-views.ts'
import { OldCheckIns } from './upkeep/old-check-ins.ts'
import { deleteOldDevices } from './upkeep/old-devices.ts'

/** The fleet of a running server on SQLite: all devices in memory, and a database behind them. */
export class SqliteFleet extends FleetViews implements StoredFleet {
  readonly feed: Fleet['feed']
  readonly budgets: Fleet['budgets']
  readonly admission: Fleet['admission']
  readonly labelBytes: number
  readonly newestSeenAtStart: number
  readonly #file: string
  readonly #oldCheckIns: OldCheckIns

  private constructor(database: FleetDatabase, memory: FleetInMemory) {
    super(memory, database)
    this.#file = database.file
    this.feed = memory.feed
    this.budgets = memory.budgets
    this.admission = memory.admission
    this.labelBytes = memory.labelBytes
    this.newestSeenAtStart = memory.newestSeenAtStart
    this.#oldCheckIns = new OldCheckIns(database)
  }

  /** Loads what the database holds. */
  static async open(database: FleetDatabase, options: FleetOptions): Promise<SqliteFleet> {
    return new SqliteFleet(database, await FleetInMemory.open(database, options))
  }

  get health(): TelemetryHealth {
    const { failure, ...health } = this.memory.health
    return { ...health, failure: failure && storageProblem(failure, this.#file) }
  }

  record(heartbeat: Heartbeat): void {
    this.memory.record(heartbeat)
  }

  recordAll<Item>(
    items: readonly Item[],
    heartbeatOf: (item: Item, index: number) => Heartbeat,
  ): void {
    this.memory.recordAll(items, heartbeatOf)
  }

  settled(): Promise<void> {
    return this.memory.settled()
  }

  profileOf(appKey: number, deviceId: string): InstallProfile | undefined {
    return this.memory.profileOf(appKey, deviceId)
  }

  labelsInMemory(appKey: number, deviceId: string) {
    return this.memory.labelsInMemory(appKey, deviceId)
  }

  labelsOf(appKey: number, deviceIds: readonly string[]) {
    return this.memory.labelsOf(appKey, deviceIds)
  }

  retainCheckIns(rule: CheckInRule): AsyncIterable<void> {
    return this.#oldCheckIns.delete(rule)
  }

  retainDevices(rule: DeviceRule): AsyncIterable<number> {
    return deleteOldDevices(this.memory, this.database, rule)
  }

  retireProfiles(before: number, after: number): number {
    return this.memory.retireProfiles(before, after)
  }

  pendingErasures(): Promise<readonly DeviceName[]> {
    return this.database.read('pendingErasures')
  }

  async forget(names: readonly DeviceName[]): Promise<void> {
    for (const name of names) {
      if (!this.memory.erase(name)) throw new Error('a channel is being removed')
    }
    await this.memory.settled()
  }

  async remove(removal: CatalogRemoval): Promise<RemovalOutcome> {
    let outcome: RemovalOutcome = 'unknown'
    await this.memory.forget(removal.channelKeys, {
      deleteDevices: (devices) => this.database.removeDevices(devices),
      commit: async (devices) => {
        outcome = await this.database.remove(removal, devices)
        return outcome === 'removed'
      },
    })
    return outcome
  }

  stop(): Promise<void> {
    return this.memory.stop()
  }
}
