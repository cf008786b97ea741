import { transactionEnded } from '../interface/closed.ts'
import type { Connection } from '../sqlite/database.ts'

/** What an area reads and writes with, synchronous, inside a transaction that was begun on its connection. */
export interface ScopeParts<Reader, Writer> {
  readonly database: Connection
  readonly reader: Reader
  readonly writer: Writer
  /** Turns what SQLite throws into the errors of the store. */
  readonly guard: <T>(work: () => T) => T
}

/** One area of one transaction, until `end`: its first write raises the revision of the area. */
export class TransactionScope<Reader, Writer extends { raiseRevision(): void }> {
  readonly #parts: ScopeParts<Reader, Writer>
  #ended = false
  #raised = false

  constructor(parts: ScopeParts<Reader, Writer>) {
    this.#parts = parts
  }

  /** Rejects every later read and write. */
  end(): void {
    this.#ended = true
  }

  /** Throws `StorageError`, `closed` after the end. */
  read<T>(read: (reader: Reader) => T): T {
    this.#refuseAfterEnd()
    const { guard, reader } = this.#parts
    return guard(() => read(reader))
  }

  /** Throws `StorageError`, `closed` after the end. */
  write<T>(write: (writer: Writer) => T): T {
    this.#refuseAfterEnd()
    const { guard, writer } = this.#parts
    return guard(() => {
      if (!this.#raised) writer.raiseRevision()
      this.#raised = true
      return write(writer)
    })
  }

  /** A full disk ends a transaction of SQLite by itself; the next write would then stand alone. */
  #refuseAfterEnd(): void {
    const { database } = this.#parts
    if (!this.#ended && database.inTransaction) return
    throw transactionEnded(database.name)
  }
}
