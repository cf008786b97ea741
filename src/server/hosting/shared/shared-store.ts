import { ScheduledJob } from '../../fleet/upkeep/scheduled-job.ts'
import type { StoredFile } from '../file-index.ts'
import type { FileRecord, FileRecords } from './records.ts'
import { SharedIndex } from './shared-index.ts'

/** Milliseconds until a node knows that another has deleted a file. One that was stored is looked for when it is asked for. */
const LOOK = 5_000

export interface SharedStoreParts {
  readonly records: FileRecords
  /** Hears of a file that is gone, or has another size: on one node. */
  readonly onLost: (file: StoredFile) => void
  readonly onFailure: (error: unknown) => void
}

/** What both places for files that all nodes share do. */
export abstract class SharedStore {
  protected readonly records: FileRecords
  protected readonly index: SharedIndex
  protected readonly onLost: SharedStoreParts['onLost']
  readonly #job: ScheduledJob

  constructor({ records, onLost, onFailure }: SharedStoreParts) {
    this.records = records
    this.onLost = onLost
    this.index = new SharedIndex(records)
    this.#job = new ScheduledJob(() => this.index.refresh(), { every: LOOK, onFailure })
  }

  get bytes(): number {
    return this.index.bytes
  }

  list(): StoredFile[] {
    return this.index.list()
  }

  find(id: string): StoredFile | undefined {
    return this.index.find(id)
  }

  async refresh(): Promise<void> {
    await this.index.refresh()
  }

  async stop(): Promise<void> {
    await this.#job.stop()
  }

  /** Begins to follow what the other nodes do. */
  protected follow(): void {
    this.#job.start()
  }

  /** Notes for all nodes that a file is not as it was stored, and tells of it. */
  protected async lose(record: FileRecord, file: StoredFile): Promise<void> {
    await record.setLost()
    this.onLost(file)
  }

  /** Takes away a file unless somebody has kept it since, with what `deleted` does before others hear of it. */
  protected async take(file: StoredFile, deleted: () => Promise<void>): Promise<boolean> {
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
}
