import { ScheduledJob } from '../../runtime/async/scheduled-job.ts'
import { sharedRuns } from '../../runtime/async/shared-runs.ts'
import { FileIndex, type StoredFile } from '../file-index.ts'
import type { FileRecord, FileRecords, SharedFile } from './records.ts'

/** Milliseconds between readings, besides those after a change. A file stored meanwhile is looked for when it is asked for. */
const LOOK = 60_000

export interface SharedStoreParts {
  readonly records: FileRecords
  /** Hears of a file that is gone, or has another size: on one node. */
  readonly onLost: (file: StoredFile) => void
  readonly onFailure: (error: unknown) => void
}

/** What both places for files do, whether all nodes share them or a server is alone: the files as it has read them last. */
export abstract class SharedStore {
  protected readonly records: FileRecords
  protected readonly onLost: SharedStoreParts['onLost']
  readonly #job: ScheduledJob
  readonly #onFailure: SharedStoreParts['onFailure']
  #unwatch = () => {}
  #files = new FileIndex()
  /** By SHA-512, also those that are lost. */
  #all = new Map<string, SharedFile>()
  readonly #readNew = sharedRuns(() => this.#read())

  constructor({ records, onLost, onFailure }: SharedStoreParts) {
    this.records = records
    this.onLost = onLost
    this.#onFailure = onFailure
    this.#job = new ScheduledJob(() => this.refresh(), { every: LOOK, onFailure })
    records.follow?.((sha512, file) => this.#set(sha512, file))
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.#files.bytes
  }

  /** All files, the one stored last first. */
  list(): StoredFile[] {
    return this.#files.list()
  }

  /** Finds a file by its SHA-512 in lower-case hex, or by the first 32 digits of it. */
  find(id: string): StoredFile | undefined {
    return this.#files.find(id)
  }

  /** Returns what is known of a file, also of one that is lost. */
  protected recordOf(sha512: string): SharedFile | undefined {
    return this.#all.get(sha512)
  }

  /** Reads what all nodes have stored until now. Callers that come while it reads share the next reading. */
  refresh(): Promise<void> {
    // Each change of a server alone was taken over when it was made.
    return this.records.follow === undefined ? this.#readNew() : Promise.resolve()
  }

  async stop(): Promise<void> {
    this.#unwatch()
    await this.#job.stop()
  }

  /** Begins to follow what the other nodes do, if there are any. */
  protected follow(): void {
    if (this.records.watch === undefined) return
    this.#unwatch = this.records.watch(() => this.refresh().catch(this.#onFailure))
    this.#job.start()
  }

  /** Notes for all nodes that a file is not as it was stored, and tells of it. */
  protected async lose(record: FileRecord, file: StoredFile): Promise<void> {
    await record.setLost()
    this.onLost(file)
  }

  /** Takes away a file unless somebody has kept it since, with what `deleted` does before others hear of it. */
  protected async take(file: StoredFile, deleted: () => Promise<void>): Promise<boolean> {
    // It is about to be kept, which may take as long as a request to a bucket.
    if (this.records.isKept?.(file.sha512) === true) return false
    const isTaken = await this.records.exclusively(file.sha512, async (record) => {
      const current = await record.get()
      if (current === undefined || current.lost || current.storedAt !== file.storedAt) return false
      await record.remove()
      await deleted()
      return true
    })
    await this.refresh()
    return isTaken
  }

  async #read(): Promise<void> {
    const all = await this.records.list()
    this.#files = new FileIndex()
    this.#all = new Map()
    for (const file of all) this.#set(file.sha512, file)
  }

  #set(sha512: string, file: SharedFile | undefined): void {
    if (file === undefined) this.#all.delete(sha512)
    else this.#all.set(sha512, file)
    if (file === undefined || file.lost) this.#files.forget({ sha512 })
    else this.#files.add(file)
  }
}
