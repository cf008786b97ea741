import { FileIndex, type StoredFile } from '../file-index.ts'
import type { FileRecords, SharedFile } from './records.ts'

/** The files that all nodes know, as this one has read them last. */
export class SharedIndex {
  readonly #records: Pick<FileRecords, 'list'>
  #files = new FileIndex()
  #all: ReadonlyMap<string, SharedFile> = new Map()
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(records: Pick<FileRecords, 'list'>) {
    this.#records = records
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
  recordOf(sha512: string): SharedFile | undefined {
    return this.#all.get(sha512)
  }

  /** Reads what all nodes have stored until now. Callers that come while it reads share the next reading. */
  refresh(): Promise<void> {
    if (this.#running === undefined) return this.#start()
    const start = () => this.#start()
    this.#next ??= this.#running.then(start, start)
    return this.#next
  }

  #start(): Promise<void> {
    this.#next = undefined
    this.#running = this.#read().finally(() => {
      if (this.#next === undefined) this.#running = undefined
    })
    return this.#running
  }

  async #read(): Promise<void> {
    const all = await this.#records.list()
    const files = new FileIndex()
    for (const file of all) if (!file.lost) files.add(file)
    this.#all = new Map(all.map((file) => [file.sha512, file]))
    this.#files = files
  }
}
