import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LazyBucket } from '../bucket/lazy-bucket.ts'
import { moveDurably } from '../durable.ts'

/** Where pieces of uploads are, so that all nodes reach them. Names are unique. */
export interface PiecePlace {
  /** Moves a piece there whose content is on disk. It is there after a crash, too. */
  keep(path: string, name: string): Promise<void>
  read(name: string): AsyncIterable<Uint8Array>
  /** Deletes a piece; does nothing if it is gone. */
  remove(name: string): Promise<void>
  /** Names of the pieces that were kept before a Unix time in milliseconds. */
  keptBefore(time: number): Promise<string[]>
}

const PIECE = /^[0-9a-f]{32}-[0-9a-f]{16}$/

/** Pieces in a folder that all nodes reach. */
export class FolderPieces implements PiecePlace {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Creates the folder if it is missing. */
  static async open(folder: string): Promise<FolderPieces> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return new FolderPieces(folder)
  }

  async keep(path: string, name: string): Promise<void> {
    await moveDurably(path, join(this.#folder, name))
  }

  async *read(name: string): AsyncGenerator<Uint8Array> {
    const handle = await open(join(this.#folder, name))
    // Closes the handle when it ends.
    yield* handle.createReadStream()
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#folder, name), { force: true })
  }

  async keptBefore(time: number): Promise<string[]> {
    const old: string[] = []
    for (const name of await readdir(this.#folder)) {
      const found = await stat(join(this.#folder, name)).catch(() => undefined)
      if (found !== undefined && found.mtimeMs < time) old.push(name)
    }
    return old
  }
}

const FOLDER = 'uploads/'

/** Returns whether a key is that of a piece of an upload. `prefix`: of the keys of the server. */
export function isPieceKey(prefix: string, key: string): boolean {
  const start = prefix + FOLDER
  return key.startsWith(start) && PIECE.test(key.slice(start.length))
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
