import type Database from 'better-sqlite3'
import type { CatalogRemoval, RemovalOutcome } from '../../../catalog/store.ts'
import type { ChannelTotals, ChannelTraffic, VersionPresence } from '../../../fleet/facts.ts'
import { workerUrl } from '../../../worker-url.ts'
import { REMOVAL_OUTCOMES } from '../../catalog/removal.ts'
import { openDatabase } from '../../sqlite/database.ts'
import { WorkerClient } from '../../threads/worker-client.ts'
import type {
  FleetLoader,
  LogSweep,
  TelemetryBatch,
  TelemetryDatabase,
  TelemetryState,
} from '../batch.ts'
import { SqliteFleetReads } from './fleet-reads.ts'
import type { WriterRequest, WriterValue } from './fleet-worker.ts'
import { type ReaderArgs, type ReaderResult, ReaderThread } from './reader-thread.ts'
import type { Readers } from './readers.ts'

const STATE = `SELECT batch, last_check_in AS lastCheckIn, rows_through AS rowsThrough, lost,
    last_device AS lastDevice, last_profile AS lastProfile
  FROM telemetry_state`
const PROFILES = `SELECT id, channel_key AS channelKey, app_key AS appKey, version, platform, arch,
    named_by AS namedBy, last_day AS lastDay
  FROM profiles JOIN channels ON channels.key = channel_key`
const DEVICES = `SELECT id, app_key, device_id, profile, last_seen, labels, last_check_in,
    last_change, first_seen
  FROM devices JOIN device_states ON device = id`
const FREED = 'SELECT device, last_check_in FROM freed_devices'
const LOG_TAIL = `SELECT device, profile, at, id FROM check_ins
  WHERE id > (SELECT rows_through FROM telemetry_state) AND device <> 0 ORDER BY id`
const CHANGES_TAIL = `SELECT device, id FROM profile_changes
  WHERE id > (SELECT rows_through FROM telemetry_state) ORDER BY id`
/** Closes the writer's connection after all earlier requests. */
const LAST = { type: 'close' } as const satisfies WriterRequest
const PRESENCE = 'SELECT profile, day, devices FROM presence'

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
  readonly #writer: WorkerClient
  readonly #reader: ReaderThread

  private constructor(
    database: Database.Database,
    file: string,
    { beforeWrite }: FleetDatabaseOptions,
  ) {
    super(database)
    this.file = file
    this.#database = database
    this.#beforeWrite = beforeWrite ?? (async () => {})
    const script = workerUrl('fleet-worker', import.meta.url)
    this.#writer = new WorkerClient(script, file, 'the telemetry writer')
    this.#reader = new ReaderThread(file)
  }

  /** `file`: a prepared database. Throws `StorageError`. */
  static open(file: string, options: FleetDatabaseOptions = {}): FleetDatabase {
    return new FleetDatabase(openDatabase(file, { readonly: true }), file, options)
  }

  async state(): Promise<TelemetryState> {
    return this.#database.prepare(STATE).get() as TelemetryState
  }

  async load(loader: FleetLoader): Promise<void> {
    // One snapshot of all tables, although batches may be committed meanwhile.
    this.#database.transaction(() => {
      for (const profile of this.#rows(PROFILES)) loader.profile(profile as never)
      for (const row of this.#tuples(DEVICES)) loader.device(...(row as DeviceTuple))
      for (const row of this.#tuples(FREED)) loader.freed(...(row as FreedTuple))
      for (const row of this.#tuples(LOG_TAIL)) loader.replay(...(row as CheckInTuple))
      for (const row of this.#tuples(CHANGES_TAIL)) loader.change(...(row as ChangeTuple))
      for (const row of this.#tuples(PRESENCE)) loader.presence(...(row as PresenceTuple))
    })()
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

  deleteCheckIns(before: number, now: number, limit: number): Promise<number> {
    return this.#write({ type: 'deleteCheckIns', before, now, limit })
  }

  sweepCheckIns(sweep: LogSweep, before: number, now: number, limit: number): Promise<LogSweep> {
    return this.#write<LogSweep>({ type: 'sweepCheckIns', sweep, before, now, limit })
  }

  deleteHourlyAdoption(before: number, after: number, limit: number): Promise<number> {
    return this.#write({ type: 'deleteHourlyAdoption', before, after, limit })
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
    await Promise.all([this.#writer.close(LAST), this.#reader.close()])
    this.#database.close()
  }

  async #write<Value extends WriterValue = number>(request: WriterRequest): Promise<Value> {
    await this.#beforeWrite()
    return await this.#ask<Value>(request)
  }

  #ask<Value extends WriterValue = number>(request: WriterRequest): Promise<Value> {
    return this.#writer.ask(request)
  }

  #rows(sql: string): Iterable<unknown> {
    return this.#database.prepare(sql).iterate()
  }

  #tuples(sql: string): Iterable<unknown> {
    return this.#database.prepare(sql).raw().iterate()
  }
}

type DeviceTuple = Parameters<FleetLoader['device']>
type FreedTuple = Parameters<FleetLoader['freed']>
type CheckInTuple = Parameters<FleetLoader['replay']>
type ChangeTuple = Parameters<FleetLoader['change']>
type PresenceTuple = Parameters<FleetLoader['presence']>
