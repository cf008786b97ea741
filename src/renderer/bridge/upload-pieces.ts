import { UPLOAD_PIECE } from '../../shared/console/uploads.ts'
import type { OpenUpload } from '../../shared/hosted-file.ts'
import type { UploadOptions } from './browser/uploads.ts'
import { serverClient } from './clients.ts'

/**
 * Uploads a file through the desktop app, whose page sends no requests of its own: piece by piece, from where the upload
 * is, or from its beginning. Returns its address on the server.
 */
export async function uploadInPieces(
  file: File,
  begun: OpenUpload | null,
  { sha512, onProgress, signal }: UploadOptions,
): Promise<string> {
  const { name, size } = file
  const { id, offset: from } =
    begun ?? (await serverClient.files.begin.mutate({ name, size, sha512 }))
  let offset = from
  for (;;) {
    signal.throwIfAborted()
    const content = await file.slice(offset, offset + UPLOAD_PIECE).bytes()
    const progress = await serverClient.files.append.mutate({ id, offset, content })
    signal.throwIfAborted()
    if (progress.file !== null) return progress.file.url
    offset = progress.offset
    onProgress(offset)
  }
}
