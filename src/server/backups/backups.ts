import { join, resolve } from 'node:path'
import type { BackupStatus, KeptCopy } from '../../shared/console/backups.ts'
import type { StorageProblem } from '../../shared/storage-problem.ts'
import type { Leadership } from '../leadership.ts'
import type { CopyMaker } from '../storage/interface/engine.ts'
import { StorageError } from '../storage/interface/storage-error.ts'
import { storageError, storageProblem } from '../storage/open-storage.ts'
import { namedCopies, removeCopy, removePartials, restrictCopies, showCopy } from './folder.ts'
import { copyName, type NamedCopy, ownerOf, readName } from './names.ts'
import { copiesToDelete, isDue, type LastCopy } from './schedule.ts'

const SECOND = 1_000
const HOUR = 3_600_000
/** Milliseconds between two looks at the clock, and from the start to the first. */
const LOOK = 60_000
/** Milliseconds after a failure until the next try: a folder that is full stays full for a while. */
const RETRY = 15 * 60_000

export interface BackupSettings {
  /** Hours between two copies, 0 for none unless someone asks. */
  readonly everyHours: number
  /** Where the copies go; `backups` in the data folder by default. */
  readonly folder?: string | undefined
  /** Own copies that are kept, 1 or more. */
  readonly keep: number
}

/** What scheduled backups need of the storage. */
export interface BackupParts {
  readonly copies: CopyMaker
  /** Of all servers on the storage, only the leader makes copies on the schedule. */
  readonly leadership: Leadership
  readonly dataFolder: string
}

type Check = Pick<KeptCopy, 'checkedAt' | 'problem'>

/** Makes copies of the database on a thread of their own, one at a time, and keeps the newest. */
export class Backups {
  readonly folder: string
  readonly #settings: BackupSettings
  readonly #copyMaker: CopyMaker
  readonly #leadership: Leadership
  readonly #owner: string
  readonly #onFailure: (error: unknown) => void
  readonly #stopped = new AbortController()
  readonly #checks = new Map<string, Check>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<KeptCopy> | undefined
  #ticks: number | undefined
  #retryAt = Number.NEGATIVE_INFINITY
  #lastFailure: BackupStatus['lastFailure'] = null
  #failure: StorageProblem | null = null

  /** `onFailure` hears of every copy that could not be made, and every old one that stays. */
  constructor(
    { copies, leadership, dataFolder }: BackupParts,
    settings: BackupSettings,
    onFailure: (error: unknown) => void = () => {},
  ) {
    this.folder = resolve(settings.folder ?? join(dataFolder, 'backups'))
    this.#copyMaker = copies
    this.#leadership = leadership
    this.#settings = settings
    this.#owner = ownerOf(dataFolder)
    this.#onFailure = onFailure
  }

  /** Why the last copy could not be made; null once one was made again. */
  get failure(): StorageProblem | null {
    return this.#failure
  }

  /** Begins to look at the clock. `delay`: milliseconds until the first look. */
  start(delay = LOOK): void {
    void restrictCopies(this.folder, this.#owner).catch(this.#onFailure)
    if (this.#settings.everyHours > 0) this.#next(delay)
  }

  /** Ends what runs; a copy that is not complete leaves nothing behind. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    const detail = 'the server is stopping'
    this.#stopped.abort(new StorageError({ code: 'closed', file: this.folder, detail }))
    await this.#running?.catch(() => {})
  }

  /** Makes a copy now, or waits for the one that is being made. Throws `StorageError`. */
  now(): Promise<KeptCopy> {
    this.#running ??= this.#make().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async status(): Promise<BackupStatus> {
    const { everyHours, keep } = this.#settings
    const rest = { everyHours, keep, folder: this.folder, lastFailure: this.#lastFailure }
    const running = this.#running !== undefined
    try {
      const copies = await this.#copies()
      const lastSuccessAt = copies.find(({ own }) => own)?.madeAt ?? null
      return { ...rest, running, lastSuccessAt, folderProblem: null, copies }
    } catch (error) {
      const folderProblem = storageProblem(error, this.folder)
      return { ...rest, running, lastSuccessAt: null, folderProblem, copies: [] }
    }
  }

  /** Reads one of the copies through. What is wrong with it is in the answer. Throws `StorageError`. */
  async check(name: string): Promise<KeptCopy> {
    const named = readName(name)
    const copy = named && (await showCopy(this.#copyMaker, this.folder, named, this.#owner))
    if (copy === undefined) throw this.#gone(name)
    const problem = await this.#copyMaker.inspect(copy.file, this.#stopped.signal).then(
      () => null,
      (error: unknown) => storageProblem(error, copy.file),
    )
    const check = { checkedAt: new Date().toISOString(), problem }
    this.#checks.set(name, check)
    return { ...copy, ...check }
  }

  async #copies(): Promise<KeptCopy[]> {
    const named = await namedCopies(this.folder)
    named.sort((a, b) => b.at - a.at)
    const shown = await Promise.all(
      named.map((copy) => showCopy(this.#copyMaker, this.folder, copy, this.#owner)),
    )
    const copies = shown.filter((copy) => copy !== undefined)
    for (const name of this.#checks.keys()) {
      if (!copies.some((copy) => copy.name === name)) this.#checks.delete(name)
    }
    return copies.map((copy) => ({ ...copy, ...this.#checks.get(copy.name) }))
  }

  #next(delay: number): void {
    if (this.#stopped.signal.aborted) return
    this.#timer = setTimeout(() => {
      void this.#leadership
        .run(() => this.#look())
        .catch(() => {})
        .then(() => this.#next(LOOK))
    }, delay).unref()
  }

  /** Failures are reported by the backup itself. */
  async #look(): Promise<void> {
    if (performance.now() < this.#retryAt) return
    const every = this.#settings.everyHours * HOUR
    const last = await this.#last()
    if (isDue(last, every, Date.now(), performance.now())) await this.now()
  }

  async #last(): Promise<LastCopy> {
    const now = Date.now()
    // A folder that cannot be read makes a backup due, which then reports the problem.
    const copies = await namedCopies(this.folder).catch(() => [])
    const own = copies.filter(({ owner, at }) => owner === this.#owner && at <= now)
    const at = own.length === 0 ? undefined : Math.max(...own.map((copy) => copy.at))
    return { at, ticks: this.#ticks }
  }

  async #make(): Promise<KeptCopy> {
    try {
      this.#copyMaker.createFolder(this.folder)
      await removePartials(this.#copyMaker, this.folder, this.#owner)
      const made = await this.#freeName()
      const { name } = made
      const { signal } = this.#stopped
      await this.#copyMaker.make(join(this.folder, name), signal)
      this.#ticks = performance.now()
      await this.#prune(made)
      const copy = await showCopy(this.#copyMaker, this.folder, made, this.#owner)
      if (copy === undefined) throw this.#gone(name)
      this.#retryAt = Number.NEGATIVE_INFINITY
      this.#failure = null
      return copy
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /** Two copies of one second must not have one name. */
  async #freeName(): Promise<NamedCopy> {
    const taken = new Set((await namedCopies(this.folder)).map(({ name }) => name))
    let at = Math.floor(Date.now() / SECOND) * SECOND
    while (taken.has(copyName(this.#owner, at))) at += SECOND
    return { name: copyName(this.#owner, at), owner: this.#owner, at }
  }

  async #prune(made: NamedCopy): Promise<void> {
    const copies = await namedCopies(this.folder)
    for (const copy of copiesToDelete(copies, made, this.#settings.keep)) {
      removeCopy(this.folder, copy)
    }
  }

  #gone(name: string): StorageError {
    const circumstance = { kind: 'backup' } as const
    return new StorageError({ code: 'missing', file: join(this.folder, name), circumstance })
  }

  #failed(error: unknown): StorageError {
    const failure = storageError(error, this.folder)
    // A server that stops has not failed.
    if (this.#stopped.signal.aborted) return failure
    const { problem } = failure
    this.#lastFailure = { at: new Date().toISOString(), problem }
    this.#failure = problem
    this.#retryAt = performance.now() + RETRY
    this.#onFailure(error)
    return failure
  }
}
