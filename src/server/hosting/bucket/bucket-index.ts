import { FileIndex, type StoredFile } from '../file-index.ts'
import { readObjectKey } from './object-key.ts'
import { Removal } from './removal.ts'
import type { ListedObject } from './s3-bucket.ts'

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
