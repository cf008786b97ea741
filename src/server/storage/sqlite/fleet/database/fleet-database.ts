import type Database from 'better-sqlite3'
import type { CatalogRemoval, RemovalOutcome } from '../../../../catalog/store.ts'
import type {
  ChannelTotals,
  ChannelTraffic,
  DeviceName,
  VersionPresence,
} from '../../../../fleet/facts.ts'
import type {
  ChannelHealthQuery,
  CountedRelease,
  ReportedDetail,
} from '../../../../fleet/health/facts.ts'
import type {
  FleetLoader,
  LogSweep,
  TelemetryBatch,
  TelemetryDatabase,
  TelemetryState,
} from '../../../shared/batch.ts'
import { openDatabase } from '../../database.ts'
import { type ArgsOf, type ResultOf, WorkerClient } from '../../threads/worker-client.ts'
import { SqliteFleetReads } from '../reads/fleet-reads.ts'
import type { Readers } from '../reads/readers.ts'
import { loadFleet } from './fleet-load.ts'
import type { FleetWriter } from './fleet-writer.ts'

const STATE = `SELECT batch, last_check_in AS lastCheckIn, rows_through AS rowsThrough, lost,
    last_device AS lastDevice, last_profile AS lastProfile, last_release AS lastRelease
  FROM telemetry_state`

/** Milliseconds without a read after which its thread ends: somebody who looks at the fleet asks more often. */
const IDLE_TIME = 30_000

export interface FleetDatabaseOptions {
  /** Called before every write; if it rejects, nothing is written. */
  readonly beforeWrite?: (() => Promise<void>) | undefined
}

/**
 * The fleet in SQLite: short reads on a connection of this thread; long reads and all writes on separate
 * threads.
 */
export class FleetDatabase extends SqliteFleetReads implements TelemetryDatabase {
  readonly file: string
  readonly #database: Database.Database
  readonly #beforeWrite: () => Promise<void>
  readonly #writer: WorkerClient<FleetWriter>
  /** For long reads, one after the other, so that no check waits for them. */
  readonly #reader: WorkerClient<Readers>

  private constructor(
    database: Database.Database,
    file: string,
    { beforeWrite }: FleetDatabaseOptions,
  ) {
    super(database)
    this.file = file
    this.#database = database
    this.#beforeWrite = beforeWrite ?? (async () => {})
    this.#writer = new WorkerClient({ role: 'telemetry', file })
    this.#reader = new WorkerClient({ role: 'reader', file }, { idleTime: IDLE_TIME })
  }

  /** `file`: a prepared database. Throws `StorageError`. */
  static open(file: string, options: FleetDatabaseOptions = {}): FleetDatabase {
    return new FleetDatabase(openDatabase(file, { readonly: true }), file, options)
  }

  async state(): Promise<TelemetryState> {
    return this.#database.prepare(STATE).get() as TelemetryState
  }

  async load(loader: FleetLoader): Promise<void> {
    loadFleet(this.#database, loader)
  }

  /**
   * Runs a reader of `createReaders` on the reader thread, after the earlier ones. It sees committed data.
   * Rejects when it throws or the store is closed.
   */
  read<Name extends keyof Readers>(
    name: Name,
    ...args: ArgsOf<Readers[Name]>
  ): Promise<ResultOf<Readers[Name]>> {
    return this.#reader.ask(name, ...args)
  }

  override presence(appKey: number, today: number): Promise<VersionPresence[]> {
    return this.#reader.ask('presence', appKey, today)
  }

  override traffic(appKey: number, hour: number): Promise<ChannelTraffic[]> {
    return this.#reader.ask('traffic', appKey, hour)
  }

  override channelTotals(hour: number): Promise<ChannelTotals[]> {
    return this.#reader.ask('channelTotals', hour)
  }

  override channelHealth(query: ChannelHealthQuery): Promise<CountedRelease[]> {
    return this.#reader.ask('channelHealth', query)
  }

  override releaseHealth(releaseId: string, now: number): Promise<CountedRelease | null> {
    return this.#reader.ask('releaseHealth', releaseId, now)
  }

  override outcomeDetails(releaseId: string, limit: number): Promise<ReportedDetail[]> {
    return this.#reader.ask('outcomeDetails', releaseId, limit)
  }

  async commit(batch: TelemetryBatch): Promise<number> {
    // In parallel. If the files are gone, this rejects whether or not the commit succeeded; committing the
    // batch again is safe.
    const [milliseconds] = await Promise.all([
      this.#writer.ask('commit', batch),
      this.#beforeWrite(),
    ])
    return milliseconds
  }

  salvage(batch: TelemetryBatch): Promise<number> {
    return this.#write('salvage', batch)
  }

  async deleteCheckIns(before: number, now: number, limit: number): Promise<number> {
    return this.#isEmpty('check_ins') ? 0 : await this.#write('deleteCheckIns', before, now, limit)
  }

  async sweepCheckIns(
    sweep: LogSweep,
    before: number,
    now: number,
    limit: number,
  ): Promise<LogSweep> {
    if (this.#isEmpty('check_ins')) return { ...sweep, below: 0 }
    return await this.#write('sweepCheckIns', sweep, before, now, limit)
  }

  async deleteHourlyAdoption(before: number, after: number, limit: number): Promise<number> {
    if (this.#isEmpty('hourly_adoption')) return 0
    return await this.#write('deleteHourlyAdoption', before, after, limit)
  }

  async sampleHealth(now: number): Promise<void> {
    if (!this.#isEmpty('offered_releases')) await this.#write('sampleHealth', now)
  }

  /** Some of the committed requests to forget a device. */
  async pendingErasures(): Promise<readonly DeviceName[]> {
    return this.#isEmpty('erasures') ? [] : await this.#reader.ask('pendingErasures')
  }

  /**
   * Removes an app or a channel, with its releases, devices and counters, in one transaction on
   * the writer's thread. `devices`: those whose last check-in was on it. Nothing else may be written meanwhile.
   * Raw check-ins stay until they expire, but nothing refers to them.
   */
  remove(removal: CatalogRemoval, devices: Int32Array): Promise<RemovalOutcome> {
    return this.#write('remove', removal, devices)
  }

  /** Deletes devices that are about to be removed, in a transaction of their own. */
  removeDevices(devices: Int32Array): Promise<void> {
    return this.#write('removeDevices', devices)
  }

  async close(): Promise<void> {
    await Promise.all([this.#writer.close(), this.#reader.close({ atOnce: true })])
    this.#database.close()
  }

  /** Asked before a thread is started to find nothing to do: it takes 10 MB. */
  #isEmpty(table: 'check_ins' | 'hourly_adoption' | 'offered_releases' | 'erasures'): boolean {
    return this.#database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined
  }

  async #write<Name extends keyof FleetWriter>(
    method: Name,
    ...args: ArgsOf<FleetWriter[Name]>
  ): Promise<ResultOf<FleetWriter[Name]>> {
    await this.#beforeWrite()
    return await this.#writer.ask(method, ...args)
  }
}
