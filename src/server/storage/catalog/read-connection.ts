import { storeClosed } from '../interface/closed.ts'
import { type Connection, type OpenOptions, openDatabase } from '../sqlite/database.ts'
import { guarded, storageError } from '../sqlite/errors.ts'

/** A connection of a store that reads what is committed, until `close`. */
export class ReadConnection<Reader> {
  readonly #file: string
  readonly #database: Connection
  readonly #reader: Reader

  /** `prepare`: returns what reads on the connection. Throws `StorageError`. */
  constructor(
    file: string,
    options: Pick<OpenOptions, 'checkpoint' | 'cacheKiB'>,
    prepare: (database: Connection) => Reader,
  ) {
    this.#file = file
    this.#database = openDatabase(file, { ...options, readonly: true })
    try {
      this.#reader = prepare(this.#database)
    } catch (error) {
      this.#database.close()
      throw storageError(error, file)
    }
  }

  /** Throws `StorageError`, `closed` after `close`. */
  ask<T>(question: (reader: Reader) => T): T {
    if (!this.#database.open) throw storeClosed(this.#file)
    return guarded(this.#file, () => question(this.#reader))
  }

  close(): void {
    this.#database.close()
  }
}
