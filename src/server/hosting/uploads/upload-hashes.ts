import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'

interface Hashed {
  readonly hash: Hash
  /** Bytes that are in it. */
  offset: number
}

/** The hashes of unfinished uploads, made of the bytes while they arrive; after a restart, of those on disk. */
export class UploadHashes {
  readonly #known = new Map<string, Hashed>()

  /** Returns the hash of the first `offset` bytes of an upload that is stored at `path`. */
  async of(id: string, path: string, offset: number): Promise<Hashed> {
    const known = this.#known.get(id)
    if (known?.offset === offset) return known
    const hash = createHash('sha512')
    if (offset > 0) {
      for await (const chunk of createReadStream(path, { end: offset - 1 })) hash.update(chunk)
    }
    const hashed = { hash, offset }
    this.#known.set(id, hashed)
    return hashed
  }

  forget(id: string): void {
    this.#known.delete(id)
  }
}
