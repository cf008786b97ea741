import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Mutex } from '../../runtime/async/mutex.ts'
import { within } from '../../runtime/async/within.ts'
import { keepLatest } from '../../runtime/keep-latest.ts'
import { BLOCK_MAP } from '../file-addresses.ts'
import type { StoredFile } from '../file-index.ts'
import type { FileStore } from '../file-store.ts'
import type { MakingQueue } from '../making/making-queue.ts'
import { sourceOf } from '../making/source.ts'
import type { ComparisonTask, MapPlace } from './compare.ts'
import { MAX_GIVEN } from './given-map.ts'
import type { BlockMapTask } from './make-block-map.ts'

/** Bytes of the largest file that has a block map: one of 2 GiB has some MB. */
export const MAX_MAPPED = 2 * 1_024 ** 3
/** Block maps of one app that can wait for their turn. */
export const MAX_WAITING = 16
/** Milliseconds after which one that could not be made is tried again, and how many of those are remembered. */
const TRY_AGAIN = 10 * 60_000
const MAX_FAILED = 1_000
/** Pairs of files of which is remembered how they differ. */
const MAX_CHANGED = 1_000
/** Uploaded block maps of one name that are read: files of several builds can have the same. */
const MAX_TRIED = 3
/** Hex digits of the SHA-512 that a block map is named by; one that is being written has more behind them. */
const HASH_DIGITS = 128

/** Returns whether a file of that name contains its own block map, as electron-builder makes it. */
export function isMappedAtEnd(name: string): boolean {
  return /\.appimage$/i.test(name)
}

/** Where a block map is on disk; `none` if the file has none; `busy` while it is made. */
export type FoundBlockMap =
  | { readonly state: 'made'; readonly path: string; readonly size: number }
  | { readonly state: 'none' }
  | { readonly state: 'busy' }

export interface BlockMapParts {
  /** Of the block maps; created if it is missing. Files on the disk of this server, also if the files are in a bucket. */
  readonly folder: string
  readonly stored: FileStore
  readonly queue: MakingQueue
  /** Milliseconds for which a caller waits for one that is being made. */
  readonly patience: number
  readonly onFailure: (error: unknown) => void
  /** Hears of an uploaded block map, by its name, that is not of the file. */
  readonly onRefused: (name: string, file: StoredFile) => void
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

/**
 * The block maps of stored files, each made when it is first asked for, or taken from what was uploaded beside it, and kept as long as its file: for files without one
 * nothing is spent. They are about a five-hundredth of the files, and not counted as space.
 */
export class BlockMaps {
  readonly #parts: BlockMapParts
  readonly #making = new Map<string, Promise<boolean>>()
  /** Until when those are not tried again that could not be made, by the SHA-512 of the file. */
  readonly #failed = new Map<string, number>()
  /** By the SHA-512 of both files. */
  readonly #changed = new Map<string, number>()
  /** One at a time, on a thread: block maps are large. */
  readonly #comparing = new Mutex()

  constructor(parts: BlockMapParts) {
    this.#parts = parts
  }

  /** Finds the block map of a file, which is made if it is missing. `app`: key of the app in whose turn. */
  async find(file: StoredFile, app: number): Promise<FoundBlockMap> {
    const known = await this.#made(file)
    if (known !== undefined) return known
    const { size, sha512 } = file
    if (size > MAX_MAPPED || this.#hasFailed(sha512)) return { state: 'none' }
    let making = this.#making.get(sha512)
    if (making === undefined) {
      if (this.#parts.queue.waitingOf(app) >= MAX_WAITING) return { state: 'busy' }
      making = this.#start(file, app)
      this.#making.set(sha512, making)
    }
    const isMade = await within(this.#parts.patience, making, () => undefined)
    if (isMade === undefined) return { state: 'busy' }
    return (isMade ? await this.#made(file) : undefined) ?? { state: 'none' }
  }

  /** Returns the bytes of a file's blocks that are not in another one; undefined unless both block maps are made already. */
  async changedBytes(from: StoredFile, to: StoredFile): Promise<number | undefined> {
    const key = `${from.sha512} ${to.sha512}`
    const known = this.#changed.get(key)
    if (known !== undefined) return known
    const places = await this.#comparable(from, to).catch(() => undefined)
    if (places === undefined) return undefined
    // electron-updater downloads the entire file as well where a block map is damaged.
    const compared = this.#comparing.run(() => this.#parts.queue.compare(places))
    const bytes = await compared.catch(() => undefined)
    if (bytes === undefined) return undefined
    keepLatest(this.#changed, key, bytes, MAX_CHANGED)
    return bytes
  }

  /** Deletes the block map of a file that was deleted. */
  async remove(file: Pick<StoredFile, 'sha512'>): Promise<void> {
    await rm(this.#pathOf(file), { force: true })
  }

  /** Resolves when nothing is being made, soon after the queue was stopped. */
  async stop(): Promise<void> {
    await Promise.allSettled(this.#making.values())
  }

  async #comparable(from: StoredFile, to: StoredFile): Promise<ComparisonTask | undefined> {
    const [old, next] = [await this.#placeOf(from), await this.#placeOf(to)]
    return old && next && { makes: 'comparison', from: old, to: next }
  }

  /** Where a block map can be read; undefined while none is made. Throws `bucket_unavailable`. */
  async #placeOf(file: StoredFile): Promise<MapPlace | undefined> {
    if (isMappedAtEnd(file.name)) {
      return { from: await sourceOf(this.#parts.stored, file), size: file.size, isAtEnd: true }
    }
    const made = await this.#made(file)
    if (made?.state !== 'made') return undefined
    return { from: { path: made.path }, size: made.size, isAtEnd: false }
  }

  async #made(file: StoredFile): Promise<FoundBlockMap | undefined> {
    const path = this.#pathOf(file)
    const found = await stat(path).catch(() => undefined)
    return found && { state: 'made', path, size: found.size }
  }

  /** True if it was made. Never rejects: whoever asked may have left. */
  async #start(file: StoredFile, app: number): Promise<boolean> {
    const { queue, stored, onFailure, onRefused, clock } = this.#parts
    try {
      const refused = await queue.run(app, `no block map of ${file.name}`, () => this.#task(file))
      for (const name of refused) onRefused(name, file)
      // It may have been deleted meanwhile.
      if (stored.find(file.sha512) === undefined) await this.remove(file)
      return true
    } catch (error) {
      if (queue.stopped.aborted) return false
      onFailure(error)
      keepLatest(this.#failed, file.sha512, clock() + TRY_AGAIN, MAX_FAILED)
      return false
    } finally {
      this.#making.delete(file.sha512)
    }
  }

  async #task(file: StoredFile): Promise<BlockMapTask> {
    const { stored, folder } = this.#parts
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await this.#sweep()
    const given = []
    for (const map of this.#givenFor(file)) {
      given.push({ name: map.name, from: await sourceOf(stored, map) })
    }
    const from = await sourceOf(stored, file)
    return { makes: 'block_map', from, size: file.size, given, to: this.#pathOf(file) }
  }

  /** The files that were uploaded as the block map of a file, the last one first. */
  #givenFor({ name }: StoredFile): StoredFile[] {
    const named = this.#parts.stored.list().filter((each) => each.name === `${name}${BLOCK_MAP}`)
    return named.filter(({ size }) => size <= MAX_GIVEN).slice(0, MAX_TRIED)
  }

  /** Deletes the block maps of files that another node has deleted, with what a crash has left of them. */
  async #sweep(): Promise<void> {
    const { folder, stored } = this.#parts
    for (const name of await readdir(folder)) {
      const sha512 = name.slice(0, HASH_DIGITS)
      if (stored.find(sha512) === undefined) await rm(join(folder, name), { force: true })
    }
  }

  #hasFailed(sha512: string): boolean {
    const until = this.#failed.get(sha512)
    return until !== undefined && this.#parts.clock() < until
  }

  #pathOf({ sha512 }: Pick<StoredFile, 'sha512'>): string {
    return join(this.#parts.folder, sha512)
  }
}
