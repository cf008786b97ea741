import { Refusal } from '../../catalog/errors.ts'
import { within } from '../../runtime/async/within.ts'
import { keepLatest } from '../../runtime/keep-latest.ts'
import { type BucketOutage, outageOf } from '../bucket/bucket-failure.ts'
import type { StoredFile } from '../file-index.ts'
import type { FileStore } from '../file-store.ts'
import type { Upload } from './uploads.ts'

/** Uploads that have ended and are remembered, for those who did not get the answer. */
const MAX_FINISHED = 1_000

interface Finished {
  readonly upload: Upload
  readonly file: StoredFile
}

interface Waiting {
  readonly upload: Upload
  readonly steps: Steps
  readonly sha512: string
  /** Why it could not be stored; null if that was not tried, or runs. */
  readonly outage: BucketOutage | null
}

interface Steps {
  /** Where its content is on disk. */
  readonly path: string
  /** Returns the SHA-512 of the content in lower-case hex. */
  digest(): Promise<string>
  /** Runs once, when the content is known, before it is stored. */
  record(file: StoredFile): Promise<void>
  /** Deletes the upload, which has become that file; null if it never will. */
  discard(file: StoredFile | null): Promise<void>
}

export interface FinishingOptions {
  /** Milliseconds for which a caller waits for the end. */
  readonly patience: number
  /** Hears of what failed after its callers had left. */
  readonly onFailure: (error: unknown) => void
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

/** Makes files of complete uploads, each once, however often it is asked for. */
export class Finishing {
  readonly #stored: FileStore
  readonly #options: FinishingOptions
  readonly #running = new Map<string, Promise<StoredFile>>()
  /** Those that are recorded, the one last whose turn was last. */
  readonly #waiting = new Map<string, Waiting>()
  readonly #finished = new Map<string, Finished>()

  constructor(stored: FileStore, options: FinishingOptions) {
    this.#stored = stored
    this.#options = options
  }

  isRunning(id: string): boolean {
    return this.#running.has(id)
  }

  /** Finds an upload that has become a file since the start. */
  find(id: string): Finished | undefined {
    return this.#finished.get(id)
  }

  /** Forgets what is known of an upload that was deleted. */
  forget(id: string): void {
    this.#waiting.delete(id)
  }

  /** Why uploads that have arrived cannot be stored, by the one that has waited longest; null if none waits. */
  get outage(): BucketOutage | null {
    const outages = [...this.#waiting.values()].flatMap(({ outage }) => outage ?? [])
    return outages.reduce<BucketOutage | null>(
      (first, each) => (first === null || each.since < first.since ? each : first),
      null,
    )
  }

  /** Stores what could not be stored, until the first failure, which it throws. Ends early when `ended` aborts. */
  async retry(ended: AbortSignal): Promise<void> {
    for (const id of [...this.#waiting.keys()]) {
      const waiting = this.#waiting.get(id)
      if (ended.aborted || waiting === undefined) continue
      if (waiting.outage !== null && !this.#running.has(id)) {
        await this.#start(waiting.upload, waiting.steps)
      }
    }
  }

  /**
   * Throws `upload_differs` if the content is not what was announced; then it is discarded. Throws `file_being_stored` when
   * that takes long, and goes on, and `bucket_unavailable`, after which it can be asked for again.
   */
  async run(upload: Upload, steps: Steps): Promise<StoredFile> {
    const running = this.#start(upload, steps)
    const { patience, onFailure } = this.#options
    return await within(patience, running, () => {
      running.catch(onFailure)
      throw new Refusal({ code: 'file_being_stored', name: upload.name })
    })
  }

  #start(upload: Upload, steps: Steps): Promise<StoredFile> {
    const running = this.#running.get(upload.id) ?? this.#run(upload, steps)
    this.#running.set(upload.id, running)
    return running
  }

  async #run(upload: Upload, steps: Steps): Promise<StoredFile> {
    try {
      return await this.#finish(upload, steps)
    } finally {
      this.#running.delete(upload.id)
    }
  }

  async #finish(upload: Upload, steps: Steps): Promise<StoredFile> {
    const { id, name, size, sha512: announced } = upload
    const recorded = this.#waiting.get(id)
    const sha512 = recorded?.sha512 ?? (await steps.digest())
    if (announced !== null && announced !== sha512) {
      await steps.discard(null)
      throw new Refusal({ code: 'upload_differs', name, announced, found: sha512 })
    }
    if (recorded === undefined) await steps.record({ sha512, name, size, storedAt: Date.now() })
    const waiting = recorded ?? { upload, steps, sha512, outage: null }
    this.#waiting.set(id, waiting)
    const file = await this.#stored.add(steps.path, { sha512, name, size }).catch((error) => {
      this.#wait(waiting, error)
      throw error
    })
    await steps.discard(file)
    this.#waiting.delete(id)
    keepLatest(this.#finished, id, { upload, file }, MAX_FINISHED)
    return file
  }

  /** Keeps what could not be stored for another try, unless it was deleted meanwhile. */
  #wait(waiting: Waiting, error: unknown): void {
    const { id } = waiting.upload
    // After the others, so that none that is always refused holds them up.
    if (!this.#waiting.delete(id)) return
    const since = waiting.outage?.since ?? this.#options.clock()
    this.#waiting.set(id, { ...waiting, outage: outageOf(error, since) })
  }
}
