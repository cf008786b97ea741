import { ScheduledJob } from '../../runtime/async/scheduled-job.ts'
import type { StoredFile } from '../file-index.ts'
import type { FileStore } from '../file-store.ts'
import type { MakingQueue } from '../making/making-queue.ts'
import { sourceOf } from '../making/source.ts'
import type { SpaceLimits } from '../uploads/space.ts'
import { canPatch, isPatchable, requireMemory } from './limits.ts'
import type { PatchTask } from './make-patch.ts'
import { type KeptPatch, PatchFolder, pairOf } from './patch-folder.ts'

/** Milliseconds between two looks whether other patches are wanted, which cost nothing if none are. */
const LOOK_EVERY = 1_000
/** The same after one that failed, such as while a bucket cannot be used. */
const RETRY_AFTER = 30_000
/** Milliseconds after which everything is looked at again: what could not be made, and what other nodes have changed. */
const LOOK_AGAIN = 60 * 60_000
/** Patches that are kept at most. */
const MAX_PATCHES = 1_000

/** Two files of which devices that have one will download the other. */
export interface WantedPatch {
  readonly base: StoredFile
  readonly next: StoredFile
  /** Key of the app in whose turn it is made. */
  readonly app: number
}

export interface PatchParts {
  /** Of the patches; created if it is missing. On the disk of this server, also if the files are in a bucket. */
  readonly folder: string
  readonly stored: FileStore
  readonly queue: MakingQueue
  readonly space: Pick<SpaceLimits, 'hasRoomFor'>
  /** Most bytes of all patches; 0 for no patches. */
  readonly maxBytes: number
  /** What `wanted` depends on: a different object when that may have changed. */
  readonly catalog: () => object
  /** The patches that are worth the most first. */
  readonly wanted: () => readonly WantedPatch[]
  readonly onFailure: (error: unknown) => void
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

/** The patches of stored files. Made after releases change, never on request, and kept as long as they are wanted. */
export class Patches {
  /** Resolves its stop when nothing is being made, soon after the queue was stopped. */
  readonly job: ScheduledJob
  readonly #parts: PatchParts
  readonly #folder: PatchFolder
  /** Bytes of those that did not fit, by their pair. */
  readonly #unfit = new Map<string, number>()
  /** The pairs of those that could not be made when that was last tried. */
  readonly #failed = new Set<string>()
  #seen: object | undefined
  #lookAt = 0

  constructor(parts: PatchParts) {
    this.#parts = parts
    this.#folder = new PatchFolder(parts.folder)
    this.job = new ScheduledJob((ended) => this.#look(ended), {
      ...{ every: LOOK_EVERY, retryAfter: RETRY_AFTER, onFailure: parts.onFailure },
    })
  }

  /** Bytes of all patches. */
  get bytes(): number {
    return this.#folder.bytes
  }

  /** Whether there is a patch that makes a file. */
  hasFor(next: StoredFile): boolean {
    return this.#folder.making(next).length > 0
  }

  /** Finds what makes a file of the one with that SHA-256, in lower-case hex. Makes nothing. */
  find(next: StoredFile, baseHash: string): KeptPatch | undefined {
    return this.#folder.making(next).find((each) => each.baseHash === baseHash)
  }

  /** Whether patches are made at all. */
  get isOn(): boolean {
    return this.#parts.maxBytes > 0 && canPatch()
  }

  /** Returns the bytes that a device with the base downloads: all, if a patch is not worthwhile; undefined while none is made. */
  bytesBetween(base: StoredFile, next: StoredFile): number | undefined {
    if (!isPatchable({ base, next })) return next.size
    const patch = this.#folder.find(pairOf(base, next))
    return patch && (patch.size || next.size)
  }

  async #look(ended: AbortSignal): Promise<void> {
    const current = this.#parts.catalog()
    const now = this.#parts.clock()
    if (now >= this.#lookAt) {
      this.#lookAt = now + LOOK_AGAIN
      this.#failed.clear()
    } else if (current === this.#seen) {
      return
    }
    await this.round(ended)
    this.#seen = current
  }

  /** Deletes the patches that are no longer wanted, and makes those that are missing until other ones may be wanted. */
  async round(ended: AbortSignal): Promise<void> {
    const { stored, queue, catalog, maxBytes } = this.#parts
    const current = catalog()
    await stored.ready()
    await stored.refresh()
    const wanted = this.isOn ? this.#parts.wanted().filter(isPatchable).slice(0, MAX_PATCHES) : []
    const byPair = new Map(wanted.map((each) => [pairOf(each.base, each.next), each]))
    await this.#folder.read((pair) => byPair.has(pair))
    for (const pair of this.#unfit.keys()) if (!byPair.has(pair)) this.#unfit.delete(pair)
    const pairs = [...byPair.keys()]
    // There may be less space than when they were made.
    await this.#fit(pairs)
    let used = 0
    for (const [pair, each] of byPair) {
      if (ended.aborted || queue.stopped.aborted || catalog() !== current) return
      const fits = used + (this.#unfit.get(pair) ?? 0) <= maxBytes
      if (this.#folder.find(pair) === undefined && fits && !this.#failed.has(pair)) {
        await this.#make(pair, each)
        await this.#fit(pairs)
      }
      used += this.#folder.find(pair)?.size ?? 0
    }
  }

  async #make(pair: string, wanted: WantedPatch): Promise<void> {
    const { queue, onFailure } = this.#parts
    try {
      // Another node may have made it.
      await this.#folder.add(pair)
      if (this.#folder.find(pair) !== undefined) return
      await queue.run(wanted.app, `no patch of ${wanted.next.name}`, () => this.#task(pair, wanted))
      await this.#folder.add(pair)
    } catch (error) {
      if (queue.stopped.aborted) return
      this.#failed.add(pair)
      onFailure(error)
    }
  }

  async #task(pair: string, { base, next }: WantedPatch): Promise<PatchTask> {
    const { stored, space } = this.#parts
    requireMemory({ base, next })
    if (!(await space.hasRoomFor(next.size))) throw new Error('there is not enough disk space')
    const side = async (file: StoredFile) => ({
      from: await sourceOf(stored, file),
      ...{ size: file.size, sha512: file.sha512 },
    })
    const to = await this.#folder.place(pair)
    return { makes: 'patch', base: await side(base), next: await side(next), to }
  }

  /** Deletes the patches that are worth the least until the others fit. `pairs`: of all, the one worth most first. */
  async #fit(pairs: readonly string[]): Promise<void> {
    for (const pair of pairs.toReversed()) {
      if (this.bytes <= this.#parts.maxBytes) return
      const patch = this.#folder.find(pair)
      if (patch === undefined) continue
      this.#unfit.set(pair, patch.size)
      await this.#folder.remove(patch)
    }
  }
}
