import type { CatalogRemoval } from '../../../../catalog/store.ts'
import type { FleetLoader, TelemetryDatabase, TelemetryState } from '../../../shared/batch.ts'
import { type Connection, openDatabase } from '../../database.ts'
import {
  type ArgsOf,
  type ResultOf,
  WorkerClient,
  type WorkerClientOptions,
} from '../../threads/worker-client.ts'
import { sqliteFleetReads } from '../reads/fleet-reads.ts'
import type { Readers } from '../reads/readers.ts'
import { createRetentionReaders, type StaleQuery } from '../removal/stale-devices.ts'
import type { FleetWriter } from './fleet-writer.ts'

const STATE = `SELECT batch, last_check_in AS lastCheckIn, rows_through AS rowsThrough, lost,
    max(last_device, coalesce((SELECT max(id) FROM devices), 0)) AS lastDevice,
    last_profile AS lastProfile, last_release AS lastRelease
  FROM telemetry_state`

/** Milliseconds without a read after which its thread ends: somebody who looks at the fleet asks more often. */
const IDLE_TIME = 30_000

/** Chunks of devices that need no thread of 15 MB every hour: a fifth of a millisecond. */
const FEW_CHUNKS = 2

export interface FleetDatabaseOptions extends Pick<WorkerClientOptions, 'start'> {
  /** Called before every write; if it rejects, nothing is written. */
  readonly beforeWrite?: (() => Promise<void>) | undefined
}

/**
 * Opens the fleet of a prepared database: short reads on a connection of this thread; long reads and all writes on
 * separate threads. Throws `StorageError`.
 */
export function openFleetDatabase(file: string, options: FleetDatabaseOptions = {}) {
  const { beforeWrite = async () => {}, start } = options
  const database = openDatabase(file, { readonly: true })
  const writer = new WorkerClient<FleetWriter>({ role: 'telemetry', file }, { start })
  /** For long reads, one after the other, so that no check waits for them. */
  const reader = new WorkerClient<Readers>({ role: 'reader', file }, { start, idleTime: IDLE_TIME })
  const retention = createRetentionReaders(database)
  /** Asked before a thread is started to find nothing to do: it takes 10 MB. */
  const isEmpty = (table: 'check_ins' | 'hourly_adoption' | 'offered_releases' | 'erasures') =>
    database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined
  const write = async <Name extends keyof FleetWriter>(
    method: Name,
    ...args: ArgsOf<FleetWriter[Name]>
  ): Promise<ResultOf<FleetWriter[Name]>> => {
    await beforeWrite()
    return await writer.ask(method, ...args)
  }
  const telemetry = {
    ...sqliteFleetReads(database),
    state: async () => database.prepare(STATE).get() as TelemetryState,
    async load(loader) {
      // Each page is read once, and what SQLite keeps of a million devices does not go back to the system.
      const cache = database.pragma('cache_size', { simple: true })
      database.pragma('cache_size = -512')
      loadFleet(database, loader)
      database.pragma(`cache_size = ${cache}`)
    },
    async commit(batch) {
      // In parallel. If the files are gone, this rejects whether or not the commit succeeded; committing the
      // batch again is safe.
      const [milliseconds] = await Promise.all([writer.ask('commit', batch), beforeWrite()])
      return milliseconds
    },
    salvage: (batch) => write('salvage', batch),
    deleteCheckIns: async (...rule) =>
      isEmpty('check_ins') ? 0 : await write('deleteCheckIns', ...rule),
    sweepCheckIns: async (sweep, ...rule) =>
      isEmpty('check_ins') ? { ...sweep, below: 0 } : await write('sweepCheckIns', sweep, ...rule),
    deleteHourlyAdoption: async (...rule) =>
      isEmpty('hourly_adoption') ? 0 : await write('deleteHourlyAdoption', ...rule),
    async sampleHealth(now) {
      if (!isEmpty('offered_releases')) await write('sampleHealth', now)
    },
    async close() {
      await Promise.all([writer.close(), reader.close({ atOnce: true })])
      database.close()
    },
  } satisfies TelemetryDatabase
  return {
    ...telemetry,
    file,
    /**
     * Runs a reader of `createReaders` on the reader thread, after the earlier ones. It sees committed data.
     * Rejects when it throws or the store is closed.
     */
    read: <Name extends keyof Readers>(name: Name, ...args: ArgsOf<Readers[Name]>) =>
      reader.ask(name, ...args),
    /** Finds devices that may be deleted, of committed data. */
    staleDevices: async (query: StaleQuery) =>
      query.chunks.length > FEW_CHUNKS
        ? await reader.ask('staleDevices', query)
        : retention.staleDevices(query),
    /** Finds numbers that may be reused, of committed data. */
    freedDevices: async (chunks: readonly SharedArrayBuffer[]) =>
      chunks.length > FEW_CHUNKS
        ? await reader.ask('freedDevices', chunks)
        : retention.freedDevices(chunks),
    /** Some of the committed requests to forget a device. */
    pendingErasures: async () => (isEmpty('erasures') ? [] : await reader.ask('pendingErasures')),
    /**
     * Removes an app or a channel, with its releases, devices and counters, in one transaction on
     * the writer's thread. `devices`: those whose last check-in was on it. Nothing else may be written meanwhile.
     * Raw check-ins stay until they expire, but nothing refers to them.
     */
    remove: (removal: CatalogRemoval, devices: Int32Array) => write('remove', removal, devices),
    /** Deletes devices that are about to be removed, in a transaction of their own. */
    removeDevices: (devices: Int32Array) => write('removeDevices', devices),
  }
}

export type FleetDatabase = ReturnType<typeof openFleetDatabase>

const PROFILES = `SELECT id, channel_key AS channelKey, app_key AS appKey, version, platform, arch,
    named_by AS namedBy, last_day AS lastDay
  FROM profiles JOIN channels ON channels.key = channel_key`
const RELEASES = `SELECT number, release_id AS id, channel_key AS channelKey, version,
    offered_at AS offeredAt
  FROM offered_releases ORDER BY number`
const DEVICES = `SELECT id, app_key, device_id, profile, last_seen, nullif(labels, '{}'),
    last_check_in, last_change, first_seen, episode, offered_at, evidence | (keyed << 2)
  FROM devices JOIN device_states ON device = id WHERE id > ? ORDER BY id LIMIT ?`
/** Devices read at once: a million one by one take a third longer, and more would outlive a collection of V8. */
const PAGE = 100
const FREED = 'SELECT device, last_check_in FROM freed_devices'
const LOG_TAIL = `SELECT device, profile, at, id, kind >> 8 FROM check_ins
  WHERE id > (SELECT rows_through FROM telemetry_state) AND device <> 0 ORDER BY id`
const CHANGES_TAIL = `SELECT device, id FROM profile_changes
  WHERE id > (SELECT rows_through FROM telemetry_state) ORDER BY id`
const PRESENCE = 'SELECT profile, day, devices FROM presence'
const HEALTH = 'SELECT release, cell, devices FROM release_counts'

/** Hands everything that is stored to `loader`, in the order that it names. */
function loadFleet(database: Connection, loader: FleetLoader): void {
  const rows = (sql: string): Iterable<unknown> => database.prepare(sql).iterate()
  const tuples = (sql: string): Iterable<unknown> => database.prepare(sql).raw().iterate()
  // One snapshot of all tables, although batches may be committed meanwhile.
  database.transaction(() => {
    for (const profile of rows(PROFILES)) loader.profile(profile as never)
    for (const release of rows(RELEASES)) loader.release(release as never)
    loadDevices(database, loader)
    for (const row of tuples(FREED)) loader.freed(...(row as FreedTuple))
    for (const row of tuples(LOG_TAIL)) loader.replay(...(row as CheckInTuple))
    for (const row of tuples(CHANGES_TAIL)) loader.change(...(row as ChangeTuple))
    for (const row of tuples(PRESENCE)) loader.presence(...(row as CellTuple))
    for (const row of tuples(HEALTH)) loader.health(...(row as CellTuple))
  })()
}

function loadDevices(database: Connection, loader: FleetLoader): void {
  const next = database.prepare<[number, number], DeviceTuple>(DEVICES).raw()
  let page: DeviceTuple[] = []
  do {
    page = next.all(page.at(-1)?.[0] ?? 0, PAGE)
    for (const row of page) loader.device(...row)
  } while (page.length === PAGE)
}

type DeviceTuple = Parameters<FleetLoader['device']>
type FreedTuple = Parameters<FleetLoader['freed']>
type CheckInTuple = Parameters<FleetLoader['replay']>
type ChangeTuple = Parameters<FleetLoader['change']>
type CellTuple = Parameters<FleetLoader['presence']>
