import { type Connection, openDatabase } from '../../database.ts'
import type { ThreadWork } from '../../threads/thread-protocol.ts'
import type { ReaderRequest } from './reader-thread.ts'
import { createReaders } from './readers.ts'

/** Runs the readers of `createReaders` on the database `file`. */
export class ReaderWork implements ThreadWork<ReaderRequest> {
  readonly #file: string
  #open:
    | { readonly database: Connection; readonly readers: ReturnType<typeof createReaders> }
    | undefined

  constructor(file: string) {
    this.#file = file
  }

  answer({ name, args }: ReaderRequest): unknown {
    const reader: (...args: never[]) => unknown = this.#readers()[name]
    return reader(...args)
  }

  close(): void {
    this.#open?.database.close()
  }

  /** Opened on first use, so that the caller gets the error if it cannot be opened. */
  #readers() {
    if (this.#open === undefined) {
      const database = openDatabase(this.#file, { readonly: true })
      this.#open = { database, readers: createReaders(database) }
    }
    return this.#open.readers
  }
}
