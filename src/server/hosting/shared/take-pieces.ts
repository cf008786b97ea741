import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../catalog/errors.ts'
import { isDiskFull, writeAll } from '../durable.ts'
import type { Upload } from '../uploads/uploads.ts'
import type { PiecePlace } from './pieces.ts'
import type { UploadRecords } from './records.ts'

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

/** Bytes, and milliseconds, after which a piece ends: what is lost if the node crashes. */
const PIECE = 16 * 1_024 ** 2
const PIECE_TIME = 30_000

interface Parts {
  readonly folder: string
  readonly records: UploadRecords
  readonly pieces: PiecePlace
  /** Lets the next piece begin. */
  readonly admit: () => Promise<void>
  /** Unix time in milliseconds. */
  readonly clock: () => number
}

/** Adds what `chunks` brings to an upload, one piece after the other. See `Uploads.append`. */
export async function takePieces(
  parts: Parts,
  { id, offset, size }: Upload,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  let arrived = offset
  let piece: ArrivingPiece | undefined
  let until = 0
  const keep = async () => {
    const ended = piece
    piece = undefined
    if (ended !== undefined) arrived = await keepPiece(parts, id, arrived, ended)
  }
  try {
    for await (const chunk of chunks) {
      if (piece === undefined) {
        await parts.admit()
        piece = await ArrivingPiece.begin(parts.folder, id)
        until = performance.now() + PIECE_TIME
      }
      await piece.write(chunk)
      if (piece.size >= PIECE || performance.now() > until) await keep()
    }
  } catch (error) {
    // The error that came first says more.
    await keep().catch(() => {})
    if (!isDiskFull(error)) throw error
    throw new Refusal({ code: 'hosting_full', limit: 'disk', missingBytes: size - arrived })
  }
  await keep()
  return arrived
}

/** Returns the bytes of the upload with the piece. Throws `upload_busy` if others have gone on with it. */
async function keepPiece(
  { records, pieces, clock }: Omit<Parts, 'admit'>,
  id: string,
  start: number,
  piece: ArrivingPiece,
): Promise<number> {
  const { name, path } = piece
  try {
    await piece.end()
    if (piece.size === 0) return start
    await pieces.keep(path, name)
  } finally {
    await piece.discard()
  }
  // If that is not answered, nobody knows whether the upload has the piece: then it stays.
  if (await records.add(id, { start, size: piece.size, name }, clock())) return start + piece.size
  await pieces.remove(name)
  throw new Refusal({ code: 'upload_busy' })
}
