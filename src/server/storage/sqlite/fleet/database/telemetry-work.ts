import type { CatalogRemoval } from '../../../../catalog/store.ts'
import type { LogSweep, TelemetryBatch } from '../../../shared/batch.ts'
import { checkpointIfLarge } from '../../checkpoint.ts'
import type { Connection } from '../../database.ts'
import { ReopenedConnection } from '../../reopened-connection.ts'
import type { ThreadWork } from '../../threads/thread-protocol.ts'
import { REMOVAL_OUTCOMES, remove, removeDevices } from './catalog-removal.ts'
import { FleetWriter } from './fleet-writer.ts'

/** The store's requests to its writer thread. */
export type WriterRequest =
  | { readonly type: 'commit' | 'salvage'; readonly batch: TelemetryBatch }
  | {
      readonly type: 'deleteCheckIns'
      readonly before: number
      readonly now: number
      readonly limit: number
    }
  | {
      readonly type: 'sweepCheckIns'
      readonly sweep: LogSweep
      readonly before: number
      readonly now: number
      readonly limit: number
    }
  | {
      readonly type: 'deleteHourlyAdoption'
      readonly before: number
      readonly after: number
      readonly limit: number
    }
  | {
      readonly type: 'remove'
      readonly removal: CatalogRemoval
      readonly devices: Int32Array
    }
  | { readonly type: 'removeDevices'; readonly devices: Int32Array }
  | { readonly type: 'sampleHealth'; readonly now: number }

/** The results: the request determines which of the two. */
export type WriterValue = number | LogSweep

/** Random rows of a large fleet touch many pages: a larger cache than elsewhere. */
const CACHE_KIB = 65_536

/** Writes telemetry to the database `file`. */
export class TelemetryWork implements ThreadWork<WriterRequest> {
  readonly #connection: ReopenedConnection
  /** Prepared for its connection. */
  #writer: { readonly database: Connection; readonly fleet: FleetWriter } | undefined

  constructor(file: string) {
    this.#connection = new ReopenedConnection(file, {
      checkpoint: 'elsewhere',
      cacheKiB: CACHE_KIB,
    })
  }

  answer(request: WriterRequest): WriterValue {
    switch (request.type) {
      case 'commit':
        return this.#fleet().commit(request.batch)
      case 'salvage':
        return this.#fleet().salvage(request.batch)
      case 'deleteCheckIns':
        return this.#fleet().deleteCheckIns(request.before, request.now, request.limit)
      case 'sweepCheckIns': {
        const { sweep, before, now, limit } = request
        return this.#fleet().sweepCheckIns(sweep, before, now, limit)
      }
      case 'deleteHourlyAdoption':
        return this.#fleet().deleteHourlyAdoption(request.before, request.after, request.limit)
      case 'remove': {
        const { removal, devices } = request
        return REMOVAL_OUTCOMES.indexOf(remove(this.#connection.get(), removal, devices))
      }
      case 'removeDevices':
        removeDevices(this.#connection.get(), request.devices)
        return 0
      case 'sampleHealth':
        this.#fleet().sampleHealth(request.now)
        return 0
      default:
        return request satisfies never
    }
  }

  failed(error: unknown): void {
    this.#connection.closeIfStuck(error)
  }

  /** Checkpoints. If that fails, for example on a full disk, it is retried after the next request. */
  answered(): void {
    if (this.#connection.current === undefined) return
    try {
      checkpointIfLarge(this.#connection.current)
    } catch (error) {
      this.#connection.closeIfStuck(error)
    }
  }

  close(): void {
    this.#connection.close()
  }

  #fleet(): FleetWriter {
    const database = this.#connection.get()
    if (this.#writer?.database !== database) {
      this.#writer = { database, fleet: new FleetWriter(database) }
    }
    return this.#writer.fleet
  }
}
