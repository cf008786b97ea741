import { z } from 'zod'
import { messageOf } from '../../shared/basics/message-of.ts'
import { parsedJson } from '../../shared/basics/parsed-json.ts'
import { ScheduledJob } from '../runtime/async/scheduled-job.ts'
import type { LeaderFacts } from '../runtime/cluster/leadership.ts'
import type { StoredFile } from './file-index.ts'
import type { FileStore } from './file-store.ts'
import type { Uploads } from './uploads/uploads.ts'

/** Milliseconds for which a file is kept that no release names. */
export const FILE_LIFE = 24 * 60 * 60_000
/** Milliseconds between two rounds. */
const EVERY = 60 * 60_000
/** Files that a round deletes at most. */
const MAX_DELETED = 1_000
/** Milliseconds after which a round lets others write for a moment. */
const SLICE = 250

export interface CollectionParts {
  readonly stored: FileStore
  readonly incoming: Uploads
  /** The SHA-512 of every file that something names, in lower-case hex, as the database has them now. */
  readonly named: () => Promise<ReadonlySet<string>>
  /** Runs `work` while nobody can name a file: not in this process, and in no other. */
  readonly whileNobodyNames: (work: () => Promise<void>) => Promise<void>
  /** Where all servers find how the last round went. */
  readonly facts: LeaderFacts
  /** Unix time in milliseconds. */
  readonly clock: () => number
  readonly onDeleted: (file: StoredFile) => void
  readonly onFailure: (error: unknown) => void
}

/** How the last round went. */
const CollectionState = z.object({
  /** Unix time in milliseconds at which a round last ended well; null before the first. */
  lastAt: z.number().nullable(),
  /** What went wrong since; null if nothing did. */
  failure: z.string().nullable(),
})
export type CollectionState = z.infer<typeof CollectionState>

/** Deletes files that no release names and that are older than a day, and uploads that nobody goes on with. */
export class Collection {
  readonly job: ScheduledJob
  readonly #parts: CollectionParts

  constructor(parts: CollectionParts) {
    this.#parts = parts
    const { onFailure } = parts
    this.job = new ScheduledJob((ended) => this.#round(ended), { every: EVERY, onFailure })
  }

  /** Returns how the last round went, on whatever server. Rejects with `StorageError`. */
  async state(): Promise<CollectionState> {
    const told = await this.#parts.facts.read('hosting')
    const { data } = CollectionState.safeParse(parsedJson(told ?? ''))
    // Without: nothing yet, or by another version.
    return data ?? { lastAt: null, failure: null }
  }

  /** One round; ends early when `ended` aborts. */
  async collect(ended: AbortSignal): Promise<void> {
    const { stored, incoming, clock, whileNobodyNames } = this.#parts
    const now = clock()
    await incoming.expire(now)
    await stored.ready()
    await stored.refresh()
    const old = stored.list().filter((file) => isOld(file, now))
    const named = old.length === 0 ? new Set() : await this.#parts.named()
    const unnamed = old.filter(({ sha512 }) => !named.has(sha512)).slice(0, MAX_DELETED)
    while (unnamed.length > 0 && !ended.aborted) {
      await whileNobodyNames(() => this.#delete(unnamed, now, ended))
      await stored.deleteRemoved()
    }
    if (!ended.aborted) await this.#tell({ lastAt: now, failure: null })
  }

  async #round(ended: AbortSignal): Promise<void> {
    try {
      await this.collect(ended)
    } catch (error) {
      const failure = messageOf(error)
      // If that fails as well, the first error says why.
      await this.state()
        .then(({ lastAt }) => this.#tell({ lastAt, failure }))
        .catch(() => {})
      throw error
    }
  }

  async #tell(state: CollectionState): Promise<void> {
    await this.#parts.facts.write('hosting', JSON.stringify(state))
  }

  /** Takes the first of `files` away and deletes those that are still old and unnamed, for as long as a slice. */
  async #delete(files: StoredFile[], now: number, ended: AbortSignal): Promise<void> {
    const { stored, onDeleted } = this.#parts
    const named = await this.#parts.named()
    const until = performance.now() + SLICE
    do {
      const file = files.shift()
      if (file === undefined || ended.aborted) return
      const current = stored.find(file.sha512)
      // Somebody may have asked for it meanwhile, to publish it.
      if (current === undefined || !isOld(current, now) || named.has(file.sha512)) continue
      if (await stored.remove(current)) onDeleted(current)
    } while (performance.now() < until)
  }
}

function isOld({ storedAt }: StoredFile, now: number): boolean {
  return now - storedAt > FILE_LIFE
}
