import { NotStored } from '../../../fleet/ingest/not-stored.ts'
import type { TelemetryBatch } from '../batch.ts'
import type { TelemetrySource } from './telemetry-source.ts'

/** Milliseconds that a check-in waits for others to be written with it. */
const FLUSH_DELAY = 50
/** Check-ins that are flushed without waiting. */
const FLUSH_COUNT = 2_000
const FIRST_RETRY = 100
const LAST_RETRY = 5_000
/** Attempts after which a batch is committed without the rows that a constraint refuses. */
const MOST_REJECTIONS = 6
const ENDED = 'telemetry is not written any more'

/** Stores batches; `TelemetryDatabase` has the conditions. */
export interface BatchStore<Batch> {
  commit(batch: Batch): Promise<number>
  salvage(batch: Batch): Promise<number>
}

/** Called with the outcome of writes. */
export interface WriterListener {
  /** An attempt failed. */
  onFailure(error: unknown): void
  /** Rows of a batch were set aside: how many check-ins, and why. */
  onSetAside(checkIns: number, reason: Error | null): void
}

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

/**
 * Writes telemetry in the background: one batch at a time, every 50 ms or 2,000 check-ins. A batch that fails
 * is kept and retried at growing intervals of up to five seconds, while new data waits in the source's bounded
 * queue. If a constraint keeps refusing a batch, the refused
 * rows are set aside so that telemetry continues.
 */
export class TelemetryWriter<
  Batch extends { readonly checkIns: { readonly length: number } } = TelemetryBatch,
> {
  readonly #source: TelemetrySource<Batch>
  readonly #store: BatchStore<Batch>
  readonly #listener: WriterListener
  #number: number
  #failed: Batch | undefined
  #retry = FIRST_RETRY
  /** Refusals of the current batch by a constraint, and how many are allowed. */
  #rejections = 0
  #mostRejections = MOST_REJECTIONS
  #timer: NodeJS.Timeout | undefined
  /** The delay of the timer. */
  #delay = 0
  #writing: Promise<void> | undefined
  #waiters: Waiter[] = []
  #failure: Error | null = null
  #ended = false

  /** `number`: that of the last committed batch. */
  constructor(
    source: TelemetrySource<Batch>,
    store: BatchStore<Batch>,
    number: number,
    listener: WriterListener,
  ) {
    this.#source = source
    this.#store = store
    this.#number = number
    this.#listener = listener
  }

  /** Why the last attempt failed; null if it succeeded. */
  get failure(): Error | null {
    return this.#failure
  }

  /** Call it when something was added to the source. */
  notify(): void {
    if (this.#failed === undefined && this.#writing === undefined) this.#scheduleNext(FLUSH_DELAY)
  }

  /**
   * Resolves when everything that is now in the source is committed; rejects with `NotStored` if
   * the next attempt to commit it fails (the data stays queued).
   */
  settled(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) throw new Error(ENDED)
      this.#waiters.push({ resolve, reject })
      if (this.#failed === undefined) this.#schedule(0)
    })
  }

  /**
   * Runs `work` while nothing is written: everything that is now in the source is committed first, and nothing
   * is taken from the source until `work` ends. Rejects if that commit fails.
   */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    await this.settled()
    while (this.#writing !== undefined) await this.#writing
    if (this.#ended || this.#failed !== undefined) throw this.#failure ?? new Error(ENDED)
    clearTimeout(this.#timer)
    this.#timer = undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#writing = promise
    try {
      return await work()
    } finally {
      this.#writing = undefined
      resolve()
      this.#continue()
    }
  }

  /**
   * Writes all pending data, including device rows, until it is done, fails, or `deadline` has passed. Nothing
   * is written after that. Rejects if a write failed.
   */
  async drain(deadline: number): Promise<void> {
    try {
      await this.#writing
      while ((this.#source.dirty || this.#failed !== undefined) && Date.now() < deadline) {
        await this.settled()
      }
    } finally {
      this.#ended = true
      clearTimeout(this.#timer)
      await this.#writing
      for (const waiter of this.#waiters.splice(0)) waiter.reject(new Error(ENDED))
    }
  }

  #schedule(delay: number): void {
    if (this.#ended || this.#writing !== undefined) return
    // Called for every check-in, so it does not read the clock.
    if (this.#timer !== undefined && this.#delay <= delay) return
    clearTimeout(this.#timer)
    this.#delay = delay
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined
        this.#continue()
      })
    }, delay)
  }

  #continue(): void {
    if (this.#failed !== undefined) this.#schedule(this.#retry)
    else if (this.#waiters.length > 0) this.#schedule(0)
    else if (this.#source.dueIn !== undefined) this.#scheduleNext(this.#source.dueIn)
  }

  #scheduleNext(dueIn: number): void {
    const isFull = this.#source.waiting >= FLUSH_COUNT
    this.#schedule(isFull ? 0 : Math.max(dueIn, FLUSH_DELAY))
  }

  async #write(): Promise<void> {
    const batch = this.#failed ?? this.#source.takeBatch(++this.#number)
    const held = this.#failed !== undefined
    // A retry contains only the data of its batch: later changes wait for the next one.
    const waiters = held ? [] : this.#waiters
    if (!held) this.#waiters = []
    try {
      const isRefused = this.#rejections >= this.#mostRejections
      const rowsTime = isRefused ? await this.#salvage(batch) : await this.#commit(batch)
      this.#failed = undefined
      this.#failure = null
      this.#retry = FIRST_RETRY
      this.#rejections = 0
      this.#source.committed(batch, rowsTime)
      for (const waiter of waiters) waiter.resolve()
    } catch (error) {
      this.#failed = batch
      this.#failure = error instanceof Error ? error : new Error(String(error))
      this.#retry = held ? Math.min(this.#retry * 2, LAST_RETRY) : FIRST_RETRY
      if (isRejection(error)) this.#rejections++
      this.#listener.onFailure(error)
      const reason = new NotStored('unwritable', { cause: error })
      for (const waiter of [...waiters, ...this.#waiters.splice(0)]) waiter.reject(reason)
    }
  }

  async #commit(batch: Batch): Promise<number> {
    const rowsTime = await this.#store.commit(batch)
    this.#mostRejections = MOST_REJECTIONS
    return rowsTime
  }

  /** If a batch failed, the next is likely to fail as well, so it is retried less often. */
  async #salvage(batch: Batch): Promise<undefined> {
    const reason = this.#failure
    const checkIns = await this.#store.salvage(batch)
    this.#mostRejections = 1
    this.#source.refused(checkIns)
    this.#listener.onSetAside(checkIns, reason)
  }
}

/** See `TelemetryDatabase.commit`. */
function isRejection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'rejected'
}
