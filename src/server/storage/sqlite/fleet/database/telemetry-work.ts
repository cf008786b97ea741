import { statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import type { StorageErrorCode } from '../../../../../shared/operation/storage-problem.ts'
import { storageError } from '../../../data-folder/errors.ts'
import { StorageError } from '../../../interface/storage-error.ts'
import { freePacked } from '../../../shared/batch.ts'
import {
  BUSY_TIMEOUT,
  type Connection,
  fileIdentity,
  type OpenOptions,
  openDatabase,
} from '../../database.ts'
import type { ThreadWork } from '../../threads/thread-protocol.ts'
import { FleetWriter } from './fleet-writer.ts'

/** Size of the write-ahead log from which it is written back to the database. */
const PASSIVE_BYTES = 64 * 1024 * 1024
/** Size from which it is also truncated, if no reader holds it. */
const TRUNCATE_BYTES = 512 * 1024 * 1024

/**
 * Writes the write-ahead log back to the database if it has grown large. Takes over 100 ms with a large fleet,
 * so only the writer's thread does it.
 */
function checkpointIfLarge(database: Database.Database): void {
  const bytes = statSync(`${database.name}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (bytes > TRUNCATE_BYTES) truncate(database)
  else if (bytes > PASSIVE_BYTES) database.pragma('wal_checkpoint(PASSIVE)')
}

/** A backup holds the log for minutes. Waiting for it would delay every report. */
function truncate(database: Database.Database): void {
  database.pragma('busy_timeout = 0')
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT}`)
  }
}

/**
 * Failures that can outlast their cause: SQLite opens an unwritable file read-only, and the connection
 * stays read-only.
 */
const STUCK: ReadonlySet<StorageErrorCode> = new Set(['unwritable', 'unopenable', 'io'])

/** A connection that is opened on first use, and reopened after it got stuck. */
class ReopenedConnection {
  readonly #file: string
  readonly #options: OpenOptions
  readonly #identity: string | undefined
  #database: Connection | undefined

  constructor(file: string, identity: string | undefined, options: OpenOptions) {
    this.#file = file
    this.#identity = identity
    this.#options = options
  }

  /** The connection, if it is open. */
  get current(): Connection | undefined {
    return this.#database
  }

  /** Opens the connection if it is not open. Throws `StorageError`. */
  get(): Connection {
    if (this.#database !== undefined) return this.#database
    const database = openDatabase(this.#file, this.#options)
    try {
      this.#refuseAnother()
    } catch (error) {
      database.close()
      throw error
    }
    this.#database = database
    return database
  }

  /** Closes the connection after an error that only a new connection can recover from. */
  closeIfStuck(error: unknown): void {
    if (STUCK.has(storageError(error, this.#file).code)) this.close()
  }

  close(): void {
    this.#database?.close()
    this.#database = undefined
  }

  /** Data waiting to be written belongs to the database that was opened first. */
  #refuseAnother(): void {
    if (fileIdentity(this.#file) === this.#identity) return
    const circumstance = { kind: 'replaced' } as const
    throw new StorageError({ code: 'unwritable', file: this.#file, circumstance })
  }
}

/** Writes telemetry to the database `file`, as long as it is the file with that identity: see `fileIdentity`. */
export class TelemetryWork implements ThreadWork {
  readonly #connection: ReopenedConnection
  /** Prepared for its connection. */
  #writer: { readonly database: Connection; readonly fleet: FleetWriter } | undefined

  constructor(file: string, identity: string | undefined) {
    this.#connection = new ReopenedConnection(file, identity, { checkpoint: 'elsewhere' })
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

  /**
   * Frees a batch, which is a copy of this thread's, and checkpoints. If that fails, for example on a full disk, it is
   * retried after the next request.
   */
  answered([batch]: readonly unknown[]): void {
    if (!ArrayBuffer.isView(batch)) freePacked(Object(batch))
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
