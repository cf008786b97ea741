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
import { WorkerClient, type WorkerClientOptions } from '../../threads/worker-client.ts'
import { SqliteFleetReads } from '../reads/fleet-reads.ts'
import { type ReaderArgs, type ReaderResult, ReaderThread } from '../reads/reader-thread.ts'
import type { Readers } from '../reads/readers.ts'
import { REMOVAL_OUTCOMES } from './catalog-removal.ts'
import { loadFleet } from './fleet-load.ts'
import type { WriterRequest, WriterValue } from './telemetry-work.ts'

const STATE = `SELECT batch, last_check_in AS lastCheckIn, rows_through AS rowsThrough, lost,
    last_device AS lastDevice, last_profile AS lastProfile, last_release AS lastRelease
  FROM telemetry_state`

export interface FleetDatabaseOptions extends Pick<WorkerClientOptions, 'start'> {
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
  readonly #writer: WorkerClient
  readonly #reader: ReaderThread

  private constructor(
    database: Database.Database,
    file: string,
    { beforeWrite, start }: FleetDatabaseOptions,
  ) {
    super(database)
    this.file = file
    this.#database = database
    this.#beforeWrite = beforeWrite ?? (async () => {})
    this.#writer = new WorkerClient({ role: 'telemetry', file }, { start })
    this.#reader = new ReaderThread(file, { start })
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
    // The pages of all devices: nothing else reads them in order.
    this.#database.pragma('shrink_memory')
  }

  /**
   * Runs a reader of `createReaders` on the reader thread, after the earlier ones. It sees committed data.
   * Rejects when it throws or the store is closed.
   */
  read<Name extends keyof Readers>(
    name: Name,
    ...args: ReaderArgs<Name>
  ): Promise<ReaderResult<Name>> {
    return this.#reader.read(name, ...args)
  }

  override presence(appKey: number, today: number): Promise<VersionPresence[]> {
    return this.#reader.read('presence', appKey, today)
  }

  override traffic(appKey: number, hour: number): Promise<ChannelTraffic[]> {
    return this.#reader.read('traffic', appKey, hour)
  }

  override channelTotals(hour: number): Promise<ChannelTotals[]> {
    return this.#reader.read('channelTotals', hour)
  }

  override channelHealth(query: ChannelHealthQuery): Promise<CountedRelease[]> {
    return this.#reader.read('channelHealth', query)
  }

  override releaseHealth(releaseId: string, now: number): Promise<CountedRelease | null> {
    return this.#reader.read('releaseHealth', releaseId, now)
  }

  override outcomeDetails(releaseId: string, limit: number): Promise<ReportedDetail[]> {
    return this.#reader.read('outcomeDetails', releaseId, limit)
  }

  async commit(batch: TelemetryBatch): Promise<number> {
    // In parallel. If the files are gone, this rejects whether or not the commit succeeded; committing the
    // batch again is safe.
    const [milliseconds] = await Promise.all([
      this.#ask({ type: 'commit', batch }),
      this.#beforeWrite(),
    ])
    return milliseconds
  }

  salvage(batch: TelemetryBatch): Promise<number> {
    return this.#write({ type: 'salvage', batch })
  }

  async deleteCheckIns(before: number, now: number, limit: number): Promise<number> {
    if (this.#isEmpty('check_ins')) return 0
    return await this.#write({ type: 'deleteCheckIns', before, now, limit })
  }

  async sweepCheckIns(
    sweep: LogSweep,
    before: number,
    now: number,
    limit: number,
  ): Promise<LogSweep> {
    if (this.#isEmpty('check_ins')) return { ...sweep, below: 0 }
    return await this.#write<LogSweep>({ type: 'sweepCheckIns', sweep, before, now, limit })
  }

  async deleteHourlyAdoption(before: number, after: number, limit: number): Promise<number> {
    if (this.#isEmpty('hourly_adoption')) return 0
    return await this.#write({ type: 'deleteHourlyAdoption', before, after, limit })
  }

  async sampleHealth(now: number): Promise<number> {
    if (this.#isEmpty('offered_releases')) return 0
    return await this.#write({ type: 'sampleHealth', now })
  }

  /** Some of the committed requests to forget a device. */
  async pendingErasures(): Promise<readonly DeviceName[]> {
    return this.#isEmpty('erasures') ? [] : await this.#reader.read('pendingErasures')
  }

  /**
   * Removes an app or a channel, with its releases, devices and counters, in one transaction on
   * the writer's thread. `devices`: those whose last check-in was on it. Nothing else may be written meanwhile.
   * Raw check-ins stay until they expire, but nothing refers to them.
   */
  async remove(removal: CatalogRemoval, devices: Int32Array): Promise<RemovalOutcome> {
    const outcome = await this.#write({ type: 'remove', removal, devices })
    return REMOVAL_OUTCOMES[outcome] ?? 'unknown'
  }

  /** Deletes devices that are about to be removed, in a transaction of their own. */
  async removeDevices(devices: Int32Array): Promise<void> {
    await this.#write({ type: 'removeDevices', devices })
  }

  async close(): Promise<void> {
    await Promise.all([this.#writer.close(), this.#reader.close()])
    this.#database.close()
  }

  /** Asked before a thread is started to find nothing to do: it takes 10 MB. */
  #isEmpty(table: 'check_ins' | 'hourly_adoption' | 'offered_releases' | 'erasures'): boolean {
    return this.#database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined
  }

  async #write<Value extends WriterValue = number>(request: WriterRequest): Promise<Value> {
    await this.#beforeWrite()
    return await this.#ask<Value>(request)
  }

  #ask<Value extends WriterValue = number>(request: WriterRequest): Promise<Value> {
    return this.#writer.ask(request)
  }
}
