import { Refusal } from '../../catalog/errors.ts'
import { ScheduledJob } from '../../runtime/async/scheduled-job.ts'
import { within } from '../../runtime/async/within.ts'
import type { BucketAddress } from './bucket-address.ts'
import { type BucketOutage, outageOf } from './bucket-failure.ts'
import type { LazyBucket } from './lazy-bucket.ts'
import type { BucketSettings } from './load-sdk.ts'
import { DAY, type S3Bucket } from './s3-bucket.ts'

/** Milliseconds for which a caller waits for the first reading. */
const PATIENCE = 10_000

/** Which bucket, what the keys in it begin with, and how often it is read: milliseconds, also after a failure. */
export interface BucketPlace extends BucketSettings, BucketAddress {
  readonly lookEvery: number
  readonly lookAgain: number
}

interface Failure {
  readonly error: unknown
  /** Unix time in milliseconds at which the first of several failed. */
  readonly since: number
}

interface ReadingsParts {
  readonly settings: BucketPlace
  readonly bucket: LazyBucket
  /** Unix time in milliseconds. */
  readonly clock: () => number
  /** Hears why the bucket could not be read, or uploads that never ended could not be deleted. */
  readonly onFailure: (error: unknown) => void
  /** Compares what is known with what is in the bucket; ends soon after `ended` aborts. */
  readonly read: (s3: S3Bucket, ended: AbortSignal) => Promise<void>
  /** Returns whether an upload that never ended is of this server. */
  readonly isOwn: (key: string) => boolean
}

/** Reads a bucket every few minutes: whether what is in it is known, and whether it can be read now. */
export class BucketReadings {
  readonly #parts: ReadingsParts
  readonly #job: ScheduledJob
  readonly #stopped = new AbortController()
  /** Whether the first one has ended, well or not. */
  readonly #ended = Promise.withResolvers<void>()
  #isRead = false
  #failure: Failure | undefined

  constructor(parts: ReadingsParts) {
    const { settings, clock, onFailure } = parts
    this.#parts = parts
    this.#job = new ScheduledJob((ended) => this.#look(ended), {
      every: settings.lookEvery,
      retryAfter: settings.lookAgain,
      onFailure: (error) => {
        if (this.stopped.aborted) return
        this.#failure = { error, since: this.#failure?.since ?? clock() }
        this.#ended.resolve()
        onFailure(error)
      },
    })
  }

  /** Begins the first one, and does not wait for it. */
  start(): void {
    this.#job.start()
  }

  /** Resolves when the one in progress has ended. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#job.stop()
  }

  /** Aborts when it stops. */
  get stopped(): AbortSignal {
    return this.#stopped.signal
  }

  /** Why the last one failed. */
  get outage(): BucketOutage | null {
    return this.#failure === undefined ? null : outageOf(this.#failure.error, this.#failure.since)
  }

  /** Waits for the first one, within seconds. Throws `bucket_unavailable` unless the bucket was read. */
  async ready(): Promise<void> {
    if (this.#isRead) return
    await within(PATIENCE, this.#ended.promise, () => {})
    this.requireReady()
  }

  /** Throws `bucket_unavailable` unless the bucket was read. */
  requireReady(): void {
    if (this.#isRead) return
    const { bucket } = this.#parts.settings
    const trouble = { trouble: 'unreachable', detail: '' } as const
    const unread = new Refusal({ code: 'bucket_unavailable', bucket, ...trouble })
    throw this.#failure?.error ?? unread
  }

  async #look(ended: AbortSignal): Promise<void> {
    const { settings, bucket, clock, onFailure, read, isOwn } = this.#parts
    const s3 = await bucket.s3()
    await read(s3, ended)
    this.#isRead = true
    this.#failure = undefined
    this.#ended.resolve()
    const abandoned = { prefix: settings.prefix, isOwn, before: clock() - DAY }
    await s3.abandonUploads(abandoned, ended).catch((error: unknown) => {
      if (!ended.aborted) onFailure(error)
    })
  }
}
