import type { CatalogRemoval } from '../../../../catalog/store.ts'
import type { TelemetryDatabase, TelemetryState } from '../../../shared/batch.ts'
import { fileIdentity, openDatabase } from '../../database.ts'
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
import { loadFleet } from './load-fleet.ts'

const STATE = `SELECT batch, last_check_in AS lastCheckIn, rows_through AS rowsThrough, lost,
    max(last_device, coalesce((SELECT max(id) FROM devices), 0)) AS lastDevice,
    last_profile AS lastProfile, last_release AS lastRelease
  FROM telemetry_state`

/** Milliseconds without a request after which a thread ends: who looks at the fleet, or checks for updates, asks more often. */
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
  const ends = { start, idleTime: IDLE_TIME }
  const writing = { role: 'telemetry', file, identity: fileIdentity(file) } as const
  const writer = new WorkerClient<FleetWriter>(writing, ends)
  /** For long reads, one after the other, so that no check waits for them. */
  const reader = new WorkerClient<Readers>({ role: 'reader', file }, ends)
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
    load: (loader) =>
      loadFleet(database, loader, async (chunks, taken) => {
        if (chunks.length > FEW_CHUNKS) await reader.ask('readStates', chunks, taken)
      }),
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
