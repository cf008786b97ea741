import { statSync } from 'node:fs'
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
    this.#learn()
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
    this.#look()
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
    const look = () => {
      this.#look()
      this.#next()
    }
    this.#timer = setTimeout(look, LOOK).unref()
  }

  #look(): void {
    const found = this.#find()
    if (found === undefined) this.#learn()
    if (found?.issue === this.#trouble?.issue && found?.file === this.#trouble?.file) return
    this.#trouble = found ?? null
    this.#onChange(this.#trouble)
  }

  #learn(): void {
    for (const path of this.#paths) {
      if (this.#known.has(path)) continue
      const found = identityOf(path)
      if (typeof found === 'object') this.#known.set(path, { dev: found.dev, ino: found.ino })
    }
  }

  #find(): DatabaseTrouble | undefined {
    for (const [file, known] of this.#known) {
      const issue = issueOf(file, known, file === this.#file)
      if (issue !== undefined) return { file, issue, since: new Date().toISOString() }
    }
    return undefined
  }
}

/** Only the log may be empty: SQLite truncates it after a checkpoint. */
function issueOf(path: string, known: Identity, isDatabase: boolean): FileIssue | undefined {
  const found = identityOf(path)
  if (typeof found !== 'object') return found
  if (found.dev !== known.dev || found.ino !== known.ino) return 'replaced'
  return isDatabase && found.size === 0n ? 'emptied' : undefined
}

/**
 * Looks at a file, which takes microseconds on this thread: another one would have to be woken, before every batch. Undefined
 * where the failure does not concern the file, and writes fail with it themselves.
 */
function identityOf(path: string): (Identity & { readonly size: bigint }) | 'missing' | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false }) ?? 'missing'
  } catch {
    return undefined
  }
}
