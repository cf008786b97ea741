import { stat } from 'node:fs/promises'
import type { DatabaseTrouble, FileIssue } from '../../../shared/operation/storage-problem.ts'
import { StorageError } from '../interface/storage-error.ts'

/** Milliseconds between checks. */
const LOOK = 1_000

interface Identity {
  readonly dev: bigint
  readonly ino: bigint
}

/**
 * Distinguishes the files of an open database from later files of the same name. SQLite keeps writing
 * to a deleted file, where the data is lost, so writers check here first.
 */
export class DatabaseFiles {
  readonly #file: string
  readonly #paths: readonly string[]
  readonly #known = new Map<string, Identity>()
  #trouble: DatabaseTrouble | null = null
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #onChange: (trouble: DatabaseTrouble | null) => void = () => {}

  /** `file`: the database. */
  constructor(file: string) {
    this.#file = file
    // The index of the log too: without it, other processes would not coordinate with this one.
    this.#paths = [file, `${file}-wal`, `${file}-shm`]
  }

  /** What was wrong at the last check, null if nothing. */
  get trouble(): DatabaseTrouble | null {
    return this.#trouble
  }

  /**
   * Accepts the current files as the right ones; the database must be open. A log that does not exist
   * yet is accepted when it is first seen. Throws `StorageError` without a database.
   */
  async remember(): Promise<void> {
    await this.#learn()
    if (this.#known.has(this.#file)) return
    throw new StorageError({ code: 'missing', file: this.#file })
  }

  /** Checks every second, and reports every change of `trouble`. */
  watch(onChange: (trouble: DatabaseTrouble | null) => void): void {
    this.#onChange = onChange
    this.#next()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** Checks now. Throws `StorageError` `missing` when a write would be lost. */
  async check(): Promise<void> {
    await this.#look()
    if (this.#trouble === null) return
    const { file, issue } = this.#trouble
    throw new StorageError({
      code: 'missing',
      file,
      circumstance: { kind: 'changed_in_use', issue },
    })
  }

  #next(): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => void this.#look().finally(() => this.#next()), LOOK).unref()
  }

  async #look(): Promise<void> {
    const found = await this.#find()
    if (found === undefined) await this.#learn()
    if (found?.issue === this.#trouble?.issue && found?.file === this.#trouble?.file) return
    this.#trouble = found ?? null
    this.#onChange(this.#trouble)
  }

  async #learn(): Promise<void> {
    for (const path of this.#paths) {
      if (this.#known.has(path)) continue
      const found = await stat(path, { bigint: true }).catch(() => undefined)
      if (found !== undefined) this.#known.set(path, { dev: found.dev, ino: found.ino })
    }
  }

  /** All at once: on a busy thread, each awaited result waits for another turn. */
  async #find(): Promise<DatabaseTrouble | undefined> {
    const issues = await Promise.all(
      [...this.#known].map(async ([file, known]) => {
        return { file, issue: await issueOf(file, known, file === this.#file) }
      }),
    )
    for (const { file, issue } of issues) {
      if (issue !== undefined) return { file, issue, since: new Date().toISOString() }
    }
    return undefined
  }
}

/** Only the log may be empty: SQLite truncates it after a checkpoint. */
async function issueOf(
  path: string,
  known: Identity,
  isDatabase: boolean,
): Promise<FileIssue | undefined> {
  try {
    const { dev, ino, size } = await stat(path, { bigint: true })
    if (dev !== known.dev || ino !== known.ino) return 'replaced'
    return isDatabase && size === 0n ? 'emptied' : undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Any other failure does not concern the file, and writes fail with it themselves.
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : undefined
  }
}
