import { Refusal } from '../../catalog/errors.ts'
import type { Upload } from '../upload-info.ts'
import { isDiskFull } from '../write-all.ts'
import { ArrivingPiece } from './arriving-piece.ts'
import type { PiecePlace } from './pieces.ts'
import type { UploadRecords } from './records.ts'

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
