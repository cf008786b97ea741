import { closeSync, openSync, readFileSync, rmSync, write, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ServedPart } from '../interface/storage.ts'
import { isFolderHeld } from './lock.ts'

/** Milliseconds between checks of the file. */
const LOOK_INTERVAL = 10
/** Milliseconds after which a file that does not change may be the leftover of a killed server. */
const SUSPICION_TIME = 500
/** Milliseconds after which writing a revision is retried. */
const RETRY_INTERVAL = 1_000
/** Digits of a revision in the file. A fixed length, so that it can be overwritten on a full disk. */
const WIDTH = 16

const writeAt = promisify(write)

const FILES: Readonly<Record<ServedPart, string>> = {
  catalog: 'server.revision',
  people: 'server.people-revision',
}

/**
 * Publishes in the data folder which revision of the catalog or the people a running server serves, for commands
 * that must not return before the server has applied their change. The file exists from before the server
 * reads that part until it stops serving. It is written off the calling thread.
 */
export class ServedRevision {
  readonly #file: string
  readonly #descriptor: number | undefined
  #revision = 0
  #written = 0
  #writing: Promise<void> | undefined
  #retry: NodeJS.Timeout | undefined
  #released = false

  /** Claims the file of a folder whose lock the caller holds. A full disk does not prevent serving. */
  constructor(folder: string, part: ServedPart) {
    this.#file = fileIn(folder, part)
    try {
      this.#descriptor = openSync(this.#file, 'w', 0o600)
      writeSync(this.#descriptor, lineOf(0))
    } catch {
      // Commands that find no number or an old one in the file report a missing confirmation.
    }
  }

  /** Sets the revision that is served from now on. */
  set(revision: number): void {
    this.#revision = revision
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  /** Deletes the file, because nothing is served any longer. Idempotent. */
  async release(): Promise<void> {
    if (this.#released) return
    this.#released = true
    clearTimeout(this.#retry)
    await this.#writing
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    rmSync(this.#file, { force: true })
  }

  async #write(): Promise<void> {
    while (this.#descriptor !== undefined && this.#written !== this.#revision && !this.#released) {
      const revision = this.#revision
      try {
        await writeAt(this.#descriptor, lineOf(revision), 0)
        this.#written = revision
      } catch {
        clearTimeout(this.#retry)
        this.#retry = setTimeout(() => this.set(this.#revision), RETRY_INTERVAL).unref()
        return
      }
    }
  }
}

/**
 * Waits until the server that runs on the folder serves that revision or a newer one, at most
 * `within` milliseconds. Returns immediately if none runs, and false if it does not confirm.
 */
export async function untilServed(
  folder: string,
  part: ServedPart,
  revision: number,
  within: number,
): Promise<boolean> {
  const began = performance.now()
  let suspected = false
  for (;;) {
    const served = readServed(fileIn(folder, part))
    if (served === undefined || served >= revision) return true
    const waited = performance.now() - began
    if (waited > within) return false
    if (waited > SUSPICION_TIME && !suspected) {
      if (!isFolderHeld(folder)) return true
      suspected = true
    }
    await delay(LOOK_INTERVAL)
  }
}

function fileIn(folder: string, part: ServedPart): string {
  return join(resolve(folder), FILES[part])
}

/** The number twice, so that a reader detects a partial write. */
function lineOf(revision: number): string {
  const digits = String(revision).padStart(WIDTH, '0')
  return `${digits} ${digits}\n`
}

/** Undefined: there is no file, and so no server. 0: the file has no readable number. */
function readServed(file: string): number | undefined {
  try {
    const [one, other] = readFileSync(file, 'utf8').trim().split(' ')
    return one !== undefined && one === other ? Number(one) : 0
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return isMissing ? undefined : 0
  }
}
