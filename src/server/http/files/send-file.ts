import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { ReadPiece } from './read-pieces.ts'

/** Bytes per second that a client must take, on average over a piece. */
const LEAST_RATE = 2 * 1_024
/** Milliseconds that it always has for a piece. */
const LEAST_TIME = 60_000

export interface SendOptions {
  readonly read: ReadPiece
  /** Bytes to send. */
  readonly length: number
  /** Bytes per second that the client must take on average over a piece, and milliseconds that it always has. */
  readonly leastRate?: number
  readonly leastTime?: number
  /** Milliseconds to wait before that many bytes are sent; undefined without a limit. */
  readonly wait?: ((bytes: number) => number) | undefined
  /** Hears of bytes that were passed to the system. */
  readonly onSent?: ((bytes: number) => void) | undefined
}

/**
 * Sends a part of a file as the body of a response whose head is set. The next piece is read while one is sent. Resolves
 * when all was passed to the system, or the client is gone; it is disconnected if it takes too little, or if the file
 * turns out to be shorter.
 */
export async function sendFile(response: ServerResponse, options: SendOptions): Promise<void> {
  const { read, length, wait, onSent, leastRate = LEAST_RATE, leastTime = LEAST_TIME } = options
  // It may have closed before, and is not heard of again.
  if (response.destroyed) return
  const sending = new Sending(response)
  try {
    let position = 0
    let next = read(0)
    while (position < length) {
      const piece = await next
      position += piece.length
      if (piece.length === 0) {
        response.destroy()
        return
      }
      const pause = wait?.(piece.length) ?? 0
      if (pause > 0) await delay(pause, undefined, { signal: sending.gone }).catch(() => {})
      const sent = sending.write(piece, Math.max(leastTime, (piece.length / leastRate) * 1_000))
      if (position < length) {
        next = read(position)
        // It is awaited after the piece before it, and may fail earlier.
        next.catch(() => {})
      }
      await sent
      if (response.destroyed) {
        // What is read ahead needs its file until then.
        await next
        return
      }
      onSent?.(piece.length)
    }
    await sending.end()
  } finally {
    sending.stop()
  }
}

/** One timer and one listener for all pieces of a response. */
class Sending {
  readonly #response: ServerResponse
  readonly #gone = new AbortController()
  readonly #timer: NodeJS.Timeout
  /** When the client must have taken what is being sent, on the clock of `performance`. */
  #deadline = Number.POSITIVE_INFINITY
  #settle: () => void = () => {}

  constructor(response: ServerResponse) {
    this.#response = response
    this.#timer = setInterval(() => {
      if (performance.now() >= this.#deadline) response.destroy()
    }, CHECK)
    response.once('close', this.#close)
  }

  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** Resolves when the system has taken the piece, or the client is gone. It is disconnected after `patience` ms. */
  write(piece: Buffer, patience: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#response.destroyed) return resolve()
      this.#deadline = performance.now() + patience
      this.#settle = resolve
      this.#response.write(piece, () => resolve())
    })
  }

  async end(): Promise<void> {
    this.#response.end()
    if (this.#response.writableFinished) return
    await Promise.race([once(this.#response, 'finish'), once(this.gone, 'abort')])
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#response.off('close', this.#close)
  }

  readonly #close = () => {
    this.#gone.abort()
    this.#settle()
  }
}

/** Milliseconds between two looks whether a client takes too little. */
const CHECK = 1_000
