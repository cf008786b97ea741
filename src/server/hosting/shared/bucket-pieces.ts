import { rm, stat } from 'node:fs/promises'
import type { LazyBucket } from '../bucket/lazy-bucket.ts'
import { isPieceName, type PiecePlace } from './pieces.ts'

const FOLDER = 'uploads/'

/** Returns whether a key is that of a piece of an upload. `prefix`: of the keys of the server. */
export function isPieceKey(prefix: string, key: string): boolean {
  const start = prefix + FOLDER
  return key.startsWith(start) && isPieceName(key.slice(start.length))
}

/** Pieces as objects of the bucket, until the upload is complete: an upload in parts of S3 cannot be read. */
export class BucketPieces implements PiecePlace {
  readonly #bucket: LazyBucket
  readonly #prefix: string
  readonly #ended: AbortSignal

  /** `ended`: what is being sent then ends. */
  constructor(bucket: LazyBucket, prefix: string, ended: AbortSignal) {
    this.#bucket = bucket
    this.#prefix = prefix
    this.#ended = ended
  }

  async keep(path: string, name: string): Promise<void> {
    const s3 = await this.#bucket.s3()
    const { size } = await stat(path)
    await s3.put(path, this.#keyOf(name), { name, size }, this.#ended)
    await rm(path, { force: true })
  }

  async *read(name: string): AsyncGenerator<Uint8Array> {
    yield* (await this.#bucket.s3()).read(this.#keyOf(name))
  }

  async remove(name: string): Promise<void> {
    await (await this.#bucket.s3()).remove(this.#keyOf(name))
  }

  async keptBefore(time: number): Promise<string[]> {
    const s3 = await this.#bucket.s3()
    const prefix = this.#prefix + FOLDER
    const old: string[] = []
    for await (const { key, modifiedAt } of s3.list(prefix, this.#ended)) {
      if (modifiedAt < time && isPieceKey(this.#prefix, key)) old.push(key.slice(prefix.length))
    }
    return old
  }

  #keyOf(name: string): string {
    return this.#prefix + FOLDER + name
  }
}
