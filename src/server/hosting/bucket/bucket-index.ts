import { FileIndex, type StoredFile } from '../file-index.ts'
import { readObjectKey } from './object-key.ts'
import type { ListedObject } from './s3-bucket.ts'

interface Removed {
  readonly file: StoredFile
  readonly key: string
  /** While its object is being deleted. */
  deleting: Promise<void> | undefined
}

/** Files that were taken away, and whose objects are deleted afterwards: the network is slower than a transaction may be. */
class Removal {
  /** By SHA-512. */
  readonly #waiting = new Map<string, Removed>()
  /** Deleted since the last `forgetDone`. */
  readonly #done = new Set<string>()

  add(file: StoredFile, key: string): void {
    this.#waiting.set(file.sha512, { file, key, deleting: undefined })
  }

  /** Returns whether a file was taken away, although a list of the bucket may have its object still. */
  has(sha512: string): boolean {
    return this.#waiting.has(sha512) || this.#done.has(sha512)
  }

  /** Forgets what is deleted, before a list of the bucket begins. */
  forgetDone(): void {
    this.#done.clear()
  }

  /** Leaves the object of a file that is stored again. Resolves when it is no longer being deleted. */
  async cancel(sha512: string): Promise<void> {
    await this.#waiting.get(sha512)?.deleting?.catch(() => {})
    this.#waiting.delete(sha512)
    this.#done.delete(sha512)
  }

  /** Deletes the objects that wait for it. `onKept` hears of those that are still there; the first error is thrown. */
  async run(
    remove: (key: string) => Promise<void>,
    onKept: (file: StoredFile, key: string) => void,
  ): Promise<void> {
    const failures: unknown[] = []
    for (const removed of [...this.#waiting.values()]) {
      const { file, key } = removed
      const { sha512 } = file
      if (this.#waiting.get(sha512) !== removed || removed.deleting !== undefined) continue
      removed.deleting = remove(key)
      try {
        await removed.deleting
        this.#done.add(sha512)
      } catch (error) {
        failures.push(error)
        onKept(file, key)
      }
      this.#waiting.delete(sha512)
    }
    if (failures.length > 0) throw failures[0]
  }
}

interface Parts {
  readonly prefix: string
  /** Unix time in milliseconds at which a file was last asked for; 0 if it was not. */
  readonly askedAt: (sha512: string) => number
  /** Hears of a file that is gone from the bucket, or has another size. */
  readonly onLost: (file: StoredFile) => void
  /** Hears of a key whose object is not that of a file any more. */
  readonly onForgotten: (key: string) => void
}

/** What is known of the files in a bucket, in memory. */
export class BucketIndex {
  readonly files = new FileIndex()
  readonly removal = new Removal()
  readonly #parts: Parts
  /** By SHA-512. */
  readonly #keys = new Map<string, string>()
  /** Sizes of objects that are not what was stored, by SHA-512. */
  readonly #damaged = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Returns the key of a file that is known. */
  keyOf(sha512: string): string | undefined {
    return this.#keys.get(sha512)
  }

  /** Adds a file that is in the bucket, or replaces what is known of it. */
  add(file: StoredFile, key: string): StoredFile {
    this.#damaged.delete(file.sha512)
    this.#keys.set(file.sha512, key)
    return this.files.add(file)
  }

  forget({ sha512 }: Pick<StoredFile, 'sha512'>): void {
    const key = this.#keys.get(sha512)
    this.files.forget({ sha512 })
    this.#keys.delete(sha512)
    if (key !== undefined) this.#parts.onForgotten(key)
  }

  /** `size`: of the object that is in the place of the file; undefined if there is none. */
  lose(file: StoredFile, size: number | undefined): void {
    if (size !== undefined) this.#damaged.set(file.sha512, size)
    this.forget(file)
    this.#parts.onLost(file)
  }

  /** Takes over a list of the bucket, in which may be missing what is stored while it is read. */
  async read(objects: AsyncIterable<ListedObject>): Promise<void> {
    const before = this.files.list()
    const found = new Set<string>()
    this.removal.forgetDone()
    for await (const object of objects) {
      const sha512 = this.#see(object, found)
      if (sha512 !== undefined) found.add(sha512)
    }
    for (const file of before) {
      // One that was asked for meanwhile is another object, and was seen.
      if (!found.has(file.sha512) && this.files.find(file.sha512) === file)
        this.lose(file, undefined)
    }
  }

  /** Returns the hash of the file that an object is. */
  #see({ key, size, modifiedAt }: ListedObject, found: ReadonlySet<string>): string | undefined {
    const { prefix, askedAt } = this.#parts
    const file = readObjectKey(prefix, key)
    if (file === undefined || found.has(file.sha512)) return undefined
    const { sha512 } = file
    if (this.removal.has(sha512) || this.#damaged.get(sha512) === size) return undefined
    const known = this.files.find(sha512)
    if (known !== undefined && known.size !== size) {
      this.lose(known, size)
      return undefined
    }
    const storedAt = Math.max(modifiedAt, askedAt(sha512))
    if (known === undefined) this.add({ ...file, size, storedAt }, key)
    return sha512
  }
}
