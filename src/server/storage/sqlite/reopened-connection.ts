import { statSync } from 'node:fs'
import type { StorageErrorCode } from '../../../shared/storage-problem.ts'
import { StorageError } from '../interface/storage-error.ts'
import { type Connection, type OpenOptions, openDatabase } from './database.ts'
import { storageError } from './errors.ts'

/**
 * Failures that can outlast their cause: SQLite opens an unwritable file read-only, and the connection
 * stays read-only.
 */
const STUCK: ReadonlySet<StorageErrorCode> = new Set(['unwritable', 'unopenable', 'io'])

/** A connection that is opened on first use, and reopened after it got stuck. */
export class ReopenedConnection {
  readonly #file: string
  readonly #options: OpenOptions
  #database: Connection | undefined
  #identity: string | undefined

  constructor(file: string, options: OpenOptions) {
    this.#file = file
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
    const { dev, ino } = statSync(this.#file, { bigint: true })
    const identity = `${dev}/${ino}`
    this.#identity ??= identity
    if (identity === this.#identity) return
    const circumstance = { kind: 'replaced' } as const
    throw new StorageError({ code: 'unwritable', file: this.#file, circumstance })
  }
}
