import { setTimeout as delay } from 'node:timers/promises'
import { messageOf } from '../../../shared/basics/message-of.ts'
import type { LogFailure } from '../../../shared/console/desktop/server-process.ts'
import type { LogTarget } from './log-file.ts'

/** Bytes of lines that may wait to be written. */
const MAX_WAITING = 1_024 * 1_024
/** Milliseconds after which a log that cannot be written is retried, with or without lines. */
const RETRY_INTERVAL = 5_000
/** Milliseconds between retries while the reader of the log is slow. */
const BUSY_INTERVAL = 100
const MAX_BUSY_TRIES = 10
/** Milliseconds after which a write in progress counts as stuck: nothing waits for it at exit. */
const STUCK_TIME = 1_000
const LINE_FEED = 0x0a
const TOO_MANY_LINES = 'log lines arrive faster than they can be written'
/** The level `warn` of pino. */
const WARN = 40

interface Chunk {
  readonly bytes: Buffer
  /** How many of them precede the lines: the note about lines lost before. */
  readonly headBytes: number
}

export interface LogHealth {
  /** Lines lost since the process started. */
  readonly lost: number
  /** Why lines are being lost now; null while the log can be written. */
  readonly failure: LogFailure | null
}

export interface LogWriterOptions {
  /** Milliseconds after which a log that cannot be written is retried; 5 s by default. */
  readonly retryInterval?: number | undefined
}

/**
 * Writes log lines off the calling thread, and never throws: lines that a full disk or a pipe
 * without a reader refuses are dropped and counted. Once the log can be written again, it records how
 * many lines were lost.
 */
export class LogWriter {
  readonly #target: LogTarget
  readonly #retryInterval: number
  #waiting: string[] = []
  #waitingBytes = 0
  #writing: Promise<void> | undefined
  #chunkBegan: number | undefined
  #lost = 0
  #unreported = 0
  #failure: LogFailure | null = null
  /** The last byte written is not a line feed. */
  #torn = false
  #retry: NodeJS.Timeout | undefined

  constructor(target: LogTarget, { retryInterval = RETRY_INTERVAL }: LogWriterOptions = {}) {
    this.#target = target
    this.#retryInterval = retryInterval
  }

  get health(): LogHealth {
    return { lost: this.#lost, failure: this.#failure }
  }

  /** Queues one line, including its line feed. */
  write(line: string): void {
    if (this.#waitingBytes + line.length > MAX_WAITING) {
      this.#drop(1, { code: 'too_many_lines' })
      return
    }
    this.#waiting.push(line)
    this.#waitingBytes += line.length
    this.#writing ??= this.#writeWaiting()
  }

  /** Resolves once nothing is waiting to be written. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  /** Writes pending lines on the calling thread, for a process that is exiting. Tries once. */
  flushSync(): void {
    const isStuck =
      this.#chunkBegan !== undefined && performance.now() - this.#chunkBegan > STUCK_TIME
    if (this.#waiting.length === 0 || isStuck) return
    const chunk = this.#takeChunk()
    const { bytes } = chunk
    let written = 0
    try {
      this.#target.prepare(bytes.length)
      while (written < bytes.length) written += this.#target.writeSync(bytes, written)
      this.#succeed()
    } catch (error) {
      this.#fail(chunk, written, error)
    }
  }

  async #writeWaiting(): Promise<void> {
    // Lines of the same tick are written together.
    await Promise.resolve()
    while (this.#waiting.length > 0) await this.#writeChunk(this.#takeChunk())
    this.#writing = undefined
  }

  async #writeChunk(chunk: Chunk): Promise<void> {
    const { bytes } = chunk
    this.#chunkBegan = performance.now()
    let written = 0
    let tries = 0
    try {
      this.#target.prepare(bytes.length)
      while (written < bytes.length) {
        try {
          written += await this.#target.write(bytes, written)
        } catch (error) {
          if (!isBusy(error) || ++tries > MAX_BUSY_TRIES) throw error
          await delay(BUSY_INTERVAL)
        }
      }
      this.#succeed()
    } catch (error) {
      this.#fail(chunk, written, error)
    }
    this.#chunkBegan = undefined
  }

  #takeChunk(): Chunk {
    const lines = this.#waiting.join('')
    this.#waiting = []
    this.#waitingBytes = 0
    const notice = this.#unreported > 0 ? noticeOf(this.#unreported, this.#failure) : ''
    const head = `${this.#torn ? '\n' : ''}${notice}`
    return { bytes: Buffer.from(head + lines), headBytes: Buffer.byteLength(head) }
  }

  #succeed(): void {
    this.#torn = false
    this.#unreported = 0
    this.#failure = null
    clearTimeout(this.#retry)
    this.#retry = undefined
  }

  #fail({ bytes, headBytes }: Chunk, written: number, error: unknown): void {
    if (written > 0) this.#torn = bytes[written - 1] !== LINE_FEED
    // A line without its line feed gets it with the next chunk.
    const whole = bytes[written] === LINE_FEED ? written + 1 : written
    if (whole >= headBytes && headBytes > 0) this.#unreported = 0
    const lines = countLines(bytes.subarray(Math.max(whole, headBytes)))
    const detail = messageOf(error)
    this.#drop(lines, { code: 'unwritable', detail })
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined
      this.#writing ??= this.#writeChunk(this.#takeChunk()).then(() => this.#writeWaiting())
    }, this.#retryInterval).unref()
  }

  #drop(lines: number, failure: LogFailure): void {
    this.#lost += lines
    this.#unreported += lines
    this.#failure = failure
  }
}

function countLines(bytes: Buffer): number {
  let count = 0
  for (const byte of bytes) if (byte === LINE_FEED) count++
  return count
}

/** Returns a log line in the format of the others. */
function noticeOf(lost: number, failure: LogFailure | null): string {
  const reason = failure?.code === 'too_many_lines' ? TOO_MANY_LINES : (failure?.detail ?? null)
  const msg = 'log lines were lost because the log could not be written'
  return `${JSON.stringify({ level: WARN, time: Date.now(), lost, reason, msg })}\n`
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^E(AGAIN|BUSY|INTR)$/.test(String(error.code))
  )
}
