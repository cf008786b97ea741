import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../durable.ts'

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

/** Returns whether a file or object is a piece. */
export function isPieceName(name: string): boolean {
  return PIECE.test(name)
}

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
    await rename(path, join(this.#folder, name))
    await syncFolder(this.#folder)
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
