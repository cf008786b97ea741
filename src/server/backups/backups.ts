import type { BackupMade, BackupStatus, KeptCopy } from '../../shared/console/settings/backups.ts'
import type { StorageProblem } from '../../shared/operation/storage-problem.ts'
import { Refusal } from '../catalog/errors.ts'
import type { Leadership } from '../runtime/cluster/leadership.ts'
import { StorageError } from '../storage/interface/storage-error.ts'
import { storageError, storageProblem } from '../storage/open-storage.ts'
import {
  BackupCopies,
  type BackupParts,
  type BackupSettings,
  backupFolderOf,
  isDue,
} from './backup-copies.ts'
import type { FileBackups } from './files/file-backups.ts'
import { ownerOf } from './folder.ts'

const HOUR = 3_600_000
/** Milliseconds between two looks at the clock, and from the start to the first. */
const LOOK = 60_000
/** Milliseconds after a failure until the next try: a folder that is full stays full for a while. */
const RETRY = 15 * 60_000

/** Makes copies of the database on a schedule and on request, one at a time. */
export class Backups {
  readonly #settings: BackupSettings
  readonly #copies: BackupCopies
  readonly #leadership: Leadership
  readonly #files: FileBackups | undefined
  readonly #elsewhere: string | undefined
  readonly #onFailure: (error: unknown) => void
  readonly #stopped = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<KeptCopy> | undefined
  #copyingFiles: Promise<BackupMade> | undefined
  #canceled = new AbortController()
  #retryAt = Number.NEGATIVE_INFINITY
  #lastFailure: BackupStatus['lastFailure'] = null
  #failure: StorageProblem | null = null

  /** `onFailure` hears of every copy that could not be made, and every old one that stays. */
  constructor(
    { copies, leadership, dataFolder, elsewhere, files }: BackupParts,
    settings: BackupSettings,
    onFailure: (error: unknown) => void = () => {},
  ) {
    const folder = backupFolderOf(settings, dataFolder)
    const owner = ownerOf(dataFolder)
    this.#copies = new BackupCopies({ maker: copies, folder, owner, keep: settings.keep })
    this.#elsewhere = elsewhere
    this.#files = files
    this.#leadership = leadership
    this.#settings = settings
    this.#onFailure = onFailure
  }

  get folder(): string {
    return this.#copies.folder
  }

  /** Why the last copy could not be made; null once one was made again. */
  get failure(): StorageProblem | null {
    return this.#failure
  }

  /** Begins to look at the clock. `delay`: milliseconds until the first look. */
  start(delay = LOOK): void {
    if (this.#elsewhere !== undefined) return
    void this.#copies.restrict().catch(this.#onFailure)
    if (this.#settings.everyHours > 0) this.#next(delay)
  }

  /** Ends what runs; a copy that is not complete leaves nothing behind. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    const detail = 'the server is stopping'
    this.#stopped.abort(new StorageError({ code: 'closed', file: this.folder, detail }))
    await Promise.allSettled([this.#running, this.#copyingFiles])
  }

  /** Makes a copy now, or waits for the one that is being made. Throws `StorageError`. */
  now(): Promise<KeptCopy> {
    const file = this.#elsewhere
    if (file !== undefined) {
      return Promise.reject(new StorageError({ code: 'unsupported', file }))
    }
    this.#running ??= this.#make().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** The same, and then the stored files that it names. The copy stays if that fails. Throws `hosting_off` and `StorageError`. */
  withFiles(): Promise<BackupMade> {
    const files = this.#files
    if (files === undefined) throw new Refusal({ code: 'hosting_off' })
    this.#copyingFiles ??= this.#makeWithFiles(files).finally(() => {
      this.#copyingFiles = undefined
    })
    return this.#copyingFiles
  }

  /** Ends the copying of stored files. */
  cancelFiles(): void {
    this.#canceled.abort(new Error('canceled'))
  }

  async status(): Promise<BackupStatus> {
    const { keep } = this.#settings
    const available = this.#elsewhere === undefined
    const everyHours = available ? this.#settings.everyHours : 0
    const files = this.#files === undefined ? null : { progress: this.#files.progress }
    const rest = {
      available,
      everyHours,
      keep,
      folder: this.folder,
      lastFailure: this.#lastFailure,
      files,
    }
    if (!available) {
      return { ...rest, running: false, lastSuccessAt: null, folderProblem: null, copies: [] }
    }
    const running = this.#running !== undefined || this.#copyingFiles !== undefined
    try {
      const copies = await this.#copies.list()
      const lastSuccessAt = copies.find(({ own }) => own)?.madeAt ?? null
      return { ...rest, running, lastSuccessAt, folderProblem: null, copies }
    } catch (error) {
      const folderProblem = storageProblem(error, this.folder)
      return { ...rest, running, lastSuccessAt: null, folderProblem, copies: [] }
    }
  }

  /** Returns one of the copies. Throws `StorageError` `missing`. */
  find(name: string): Promise<KeptCopy> {
    return this.#copies.find(name)
  }

  /** Reads one of the copies through. What is wrong with it is in the answer. Throws `StorageError`. */
  check(name: string): Promise<KeptCopy> {
    return this.#copies.check(name, this.#stopped.signal)
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

  /** Whatever fails reports it to `onFailure`. */
  async #look(): Promise<void> {
    if (performance.now() < this.#retryAt) return
    const every = this.#settings.everyHours * HOUR
    const last = await this.#copies.last()
    if (isDue(last, every, Date.now(), performance.now())) await this.now()
  }

  async #make(): Promise<KeptCopy> {
    try {
      const copy = await this.#copies.make(this.#stopped.signal)
      this.#retryAt = Number.NEGATIVE_INFINITY
      this.#failure = null
      return copy
    } catch (error) {
      throw this.#failed(error)
    }
  }

  async #makeWithFiles(files: FileBackups): Promise<BackupMade> {
    this.#canceled = new AbortController()
    const { signal } = this.#canceled
    const copy = await this.now()
    try {
      await files.backUp(copy.file, AbortSignal.any([this.#stopped.signal, signal]))
      return { ...copy, files: 'copied' }
    } catch (error) {
      if (signal.aborted) return { ...copy, files: 'canceled' }
      throw this.#failed(error)
    }
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
