import { connect, type Socket } from 'node:net'
import { parseReplyHead } from './reply-head.ts'

/** Callbacks of a connection. */
export interface ConnectionEvents {
  /** A reply is complete; `bytes` counts head and body, `start` is its first chunk. */
  reply(status: number, bytes: number, start: Uint8Array): void
  failed(error: Error): void
}

// Reads are processed synchronously, so all connections of the process share one buffer.
const readBuffer = Buffer.allocUnsafe(256 * 1024)

/** One kept-alive connection to 127.0.0.1 with one request in flight at a time. */
export class Connection {
  readonly #events: ConnectionEvents
  readonly #socket: Socket
  #partialHead: Buffer | undefined
  #start: Uint8Array = readBuffer
  #status = 0
  #bytes = 0
  #missing = 0
  #closed = false

  constructor(port: number, events: ConnectionEvents) {
    this.#events = events
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (read) => {
          this.#received(read)
          return true
        },
      },
    })
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('the server closed a connection')))
  }

  /** Resolves when the connection is open. */
  opened(): Promise<void> {
    return new Promise((resolve) => this.#socket.once('connect', () => resolve()))
  }

  send(request: Uint8Array): void {
    this.#socket.write(request)
  }

  close(): void {
    this.#closed = true
    this.#socket.destroy()
  }

  #received(read: number): void {
    if (this.#closed) return
    try {
      if (this.#missing > 0) this.#take(read)
      else this.#begin(read)
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #begin(read: number): void {
    let chunk: Buffer = readBuffer
    let length = read
    if (this.#partialHead !== undefined) {
      chunk = Buffer.concat([this.#partialHead, readBuffer.subarray(0, read)])
      length = chunk.length
    }
    const head = parseReplyHead(chunk, length)
    if (head === undefined) {
      this.#partialHead = Buffer.from(chunk.subarray(0, length))
      return
    }
    this.#partialHead = undefined
    this.#status = head.status
    this.#bytes = head.headBytes + head.bodyBytes
    this.#missing = this.#bytes
    this.#start = head.status >= 400 ? Buffer.from(chunk.subarray(0, length)) : chunk
    this.#take(length)
  }

  #take(read: number): void {
    this.#missing -= read
    if (this.#missing < 0) throw new Error('a reply longer than it announced')
    if (this.#missing === 0) this.#events.reply(this.#status, this.#bytes, this.#start)
  }

  #fail(error: Error): void {
    if (this.#closed) return
    this.close()
    this.#events.failed(error)
  }
}
