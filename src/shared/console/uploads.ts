import { z } from 'zod'
import { HostedFile } from '../files/hosted-file.ts'

/** Most bytes of a file in one message or request of the desktop app. */
export const UPLOAD_PIECE = 4 * 1_024 * 1_024

/** Procedure that appends a piece; over HTTP, a request of its own takes its place, because JSON has no bytes. */
export const APPEND_PIECE = 'files.append'

/** What a piece is appended to. */
export const PiecePlace = z.strictObject({
  /** Of the upload. */
  id: z.string().max(64),
  /** Bytes of the file ahead of the piece. */
  offset: z.coerce.number().int().min(0),
})
export type PiecePlace = z.infer<typeof PiecePlace>

/** The next bytes of a file. */
export const UploadPiece = PiecePlace.extend({
  content: z
    .instanceof(Uint8Array)
    .refine(({ length }) => length > 0 && length <= UPLOAD_PIECE, 'must be 1 byte to 4 MiB'),
})
export type UploadPiece = z.infer<typeof UploadPiece>

/** How far an upload is. */
export const UploadProgress = z.strictObject({
  /** Bytes that have arrived. */
  offset: z.int(),
  /** What it has become; null until all of it has arrived. */
  file: HostedFile.nullable(),
})
export type UploadProgress = z.infer<typeof UploadProgress>
