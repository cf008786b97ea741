import type { ThreadWork } from '../threads/thread-protocol.ts'
import { WriterConnection } from './writer-connection.ts'
import type { WriterRequest } from './writer-thread.ts'

/** Runs the transactions of the catalog, the people and the outbox on the database `file`. */
export class WriterWork implements ThreadWork<WriterRequest> {
  readonly #file: string
  #connection: WriterConnection | undefined

  constructor(file: string) {
    this.#file = file
  }

  answer(request: WriterRequest): Promise<unknown> {
    // Opened here, so that the caller gets the error if it cannot be opened.
    this.#connection ??= new WriterConnection(this.#file, { checkpoint: 'elsewhere' })
    const connection = this.#connection
    switch (request.type) {
      case 'begin':
        return connection.begin(request.within)
      case 'call':
        return connection.call(request.area, request.name, request.args)
      case 'commit':
        return connection.commit()
      case 'rollback':
        return connection.rollback()
      default:
        return request satisfies never
    }
  }

  async close(): Promise<void> {
    await this.#connection?.close()
  }
}
