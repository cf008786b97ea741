import { checkpointIfLarge } from '../../checkpoint.ts'
import type { Connection } from '../../database.ts'
import { ReopenedConnection } from '../../reopened-connection.ts'
import type { ThreadWork } from '../../threads/thread-protocol.ts'
import { FleetWriter } from './fleet-writer.ts'

/** Random rows of a large fleet touch many pages: a larger cache than elsewhere. */
const CACHE_KIB = 65_536

/** Writes telemetry to the database `file`. */
export class TelemetryWork implements ThreadWork {
  readonly #connection: ReopenedConnection
  /** Prepared for its connection. */
  #writer: { readonly database: Connection; readonly fleet: FleetWriter } | undefined

  constructor(file: string) {
    this.#connection = new ReopenedConnection(file, {
      checkpoint: 'elsewhere',
      cacheKiB: CACHE_KIB,
    })
  }

  methods(): FleetWriter {
    const database = this.#connection.get()
    if (this.#writer?.database !== database) {
      this.#writer = { database, fleet: new FleetWriter(database) }
    }
    return this.#writer.fleet
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
}
