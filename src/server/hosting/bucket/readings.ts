import { Refusal } from '../../catalog/errors.ts'
import { type BucketOutage, outageOf } from './outage.ts'

/** Milliseconds for which a caller waits for the first reading. */
const PATIENCE = 10_000

interface Failure {
  readonly error: unknown
  /** Unix time in milliseconds at which the first of several failed. */
  readonly since: number
}

/** How the readings of a bucket went: whether what is in it is known, and whether it can be read now. */
export class BucketReadings {
  readonly #bucket: string
  /** Unix time in milliseconds. */
  readonly #clock: () => number
  /** Whether the first one has ended, well or not. */
  readonly #ended = Promise.withResolvers<void>()
  #isRead = false
  #failure: Failure | undefined

  constructor(bucket: string, clock: () => number) {
    this.#bucket = bucket
    this.#clock = clock
  }

  succeeded(): void {
    this.#isRead = true
    this.#failure = undefined
    this.#ended.resolve()
  }

  failed(error: unknown): void {
    this.#failure = { error, since: this.#failure?.since ?? this.#clock() }
    this.#ended.resolve()
  }

  /** Why the last one failed. */
  get outage(): BucketOutage | null {
    return this.#failure === undefined ? null : outageOf(this.#failure.error, this.#failure.since)
  }

  /** Waits for the first one, within seconds. Throws `bucket_unavailable` unless the bucket was read. */
  async ready(): Promise<void> {
    if (this.#isRead) return
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, PATIENCE)
    await Promise.race([this.#ended.promise, late.promise])
    clearTimeout(timer)
    this.requireReady()
  }

  /** Throws `bucket_unavailable` unless the bucket was read. */
  requireReady(): void {
    if (this.#isRead) return
    const trouble = { trouble: 'unreachable', detail: '' } as const
    const unread = new Refusal({ code: 'bucket_unavailable', bucket: this.#bucket, ...trouble })
    throw this.#failure?.error ?? unread
  }
}
