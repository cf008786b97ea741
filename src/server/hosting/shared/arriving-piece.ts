import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAll } from '../write-all.ts'

/** A piece of an upload while it arrives, in a file that only this node knows. */
export class ArrivingPiece {
  readonly name: string
  readonly path: string
  readonly #handle: FileHandle
  #size = 0

  private constructor(name: string, path: string, handle: FileHandle) {
    this.name = name
    this.path = path
    this.#handle = handle
  }

  /** Begins one in a folder, with a name that no other has. */
  static async begin(folder: string, upload: string): Promise<ArrivingPiece> {
    const name = `${upload}-${randomBytes(8).toString('hex')}`
    const path = join(folder, `${name}.part`)
    return new ArrivingPiece(name, path, await open(path, 'wx', 0o600))
  }

  get size(): number {
    return this.#size
  }

  async write(chunk: Uint8Array): Promise<void> {
    await writeAll(this.#handle, chunk, this.#size)
    this.#size += chunk.length
  }

  /** Ends it, so that what has arrived is on disk. */
  async end(): Promise<void> {
    try {
      await this.#handle.truncate(this.#size)
      await this.#handle.datasync()
    } finally {
      await this.#handle.close()
    }
  }

  /** Deletes what has arrived, unless it was moved away. */
  async discard(): Promise<void> {
    await rm(this.path, { force: true })
  }
}
