import type { PiecePlace, UploadProgress } from '../../shared/console/uploads.ts'
import type { OpenUpload } from '../../shared/hosted-file.ts'
import { invalid, Refusal } from '../catalog/errors.ts'
import type { NewUpload } from '../hosting/upload-info.ts'
import { newUploadId } from '../hosting/uploads.ts'
import { finishUpload, type HostingParts, uploadFiles } from './host-files.ts'
import type { Principal } from './principal.ts'

/** Begins an upload. Throws as `uploadFiles` does, and `hosting_full` and `too_many_uploads`. */
export async function beginUpload(
  parts: HostingParts,
  principal: Principal,
  upload: NewUpload,
): Promise<OpenUpload> {
  const { hosting, owner } = uploadFiles(parts, principal)
  const { id, offset, size } = await hosting.incoming.create(newUploadId(), owner, upload)
  return { id, offset, size }
}

/**
 * Appends a piece to an upload of the principal, and makes a file of it when it is complete. Throws as `uploadFiles`,
 * `Uploads.append` and `finishUpload` do, `unknown_file_upload`, `upload_busy` for any other offset than the one that
 * the upload has, and `invalid` for more bytes than the file has.
 */
export async function appendPiece(
  parts: HostingParts,
  principal: Principal,
  { id, offset }: PiecePlace,
  piece: AsyncIterable<Uint8Array>,
): Promise<UploadProgress> {
  const { hosting, owner } = uploadFiles(parts, principal)
  const { incoming } = hosting
  const upload = await incoming.find(id)
  if (upload?.owner !== owner) throw new Refusal({ code: 'unknown_file_upload' })
  if (upload.offset !== offset) throw new Refusal({ code: 'upload_busy' })
  const arrived = await incoming.append(id, offset, within(piece, upload.size - offset))
  if (arrived < upload.size) return { offset: arrived, file: null }
  return { offset: arrived, file: await finishUpload(parts, principal, id) }
}

async function* within(piece: AsyncIterable<Uint8Array>, left: number): AsyncGenerator<Uint8Array> {
  let rest = left
  for await (const chunk of piece) {
    rest -= chunk.length
    if (rest < 0) throw invalid({ path: ['content'], reason: 'must not be longer than the file' })
    yield chunk
  }
}
