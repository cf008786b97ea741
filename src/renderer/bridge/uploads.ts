import { UPLOAD_PIECE } from '../../shared/console/uploads.ts'
import type { OpenUpload } from '../../shared/hosted-file.ts'
import { LOOK, RETRIES, type UploadOptions, uploadByTus } from './browser/uploads.ts'
import { isDesktop, serverClient } from './clients.ts'
import { consoleErrorOf } from './error.ts'

/** Uploads a file to the server unless it is there, from where an earlier upload stopped. Returns its address there. */
export async function uploadFile(file: File, options: UploadOptions): Promise<string> {
  if (!isDesktop()) return await goOn(file, options, uploadByTus)
  let failures = 0
  const onProgress = (bytes: number) => {
    failures = 0
    options.onProgress(bytes)
  }
  for (;;) {
    try {
      const address = await goOn(file, { ...options, onProgress }, piecesLeft)
      if (address !== null) return address
      onProgress(file.size)
      await elapsed(LOOK, options.signal)
    } catch (error) {
      if (signalsStoring(error)) {
        onProgress(file.size)
        await elapsed(LOOK, options.signal)
        continue
      }
      const delay = RETRIES[failures]
      if (delay === undefined || !isTemporary(error)) throw error
      failures += 1
      await elapsed(delay, options.signal)
    }
  }
}

/** Uploads the pieces that are left; null if all have arrived, and the server copies the file to a bucket. */
async function piecesLeft(...upload: Parameters<typeof uploadInPieces>): Promise<string | null> {
  const [, begun] = upload
  const isComplete = begun !== null && begun.offset === begun.size
  return isComplete ? null : await uploadInPieces(...upload)
}

async function goOn<Address>(
  file: File,
  options: UploadOptions,
  upload: (...upload: Parameters<typeof uploadByTus>) => Promise<Address>,
): Promise<Address | string> {
  const { sha512, signal } = options
  const found = await serverClient.files.find.mutate({ sha512 })
  signal.throwIfAborted()
  return found.file === null ? await upload(file, found.upload, options) : found.file.url
}

/** All of it has arrived, and the server copies it to a bucket. */
function signalsStoring(error: unknown): boolean {
  return consoleErrorOf(error).refusal?.code === 'file_being_stored'
}

/** Also where the end of the piece before is not known, because the person cancelled and goes on. */
function isTemporary(error: unknown): boolean {
  const { code, refusal } = consoleErrorOf(error)
  return code === 'unavailable' || refusal?.code === 'upload_busy'
}

/** Resolves after that many milliseconds; rejects with the signal's reason when it is aborted. */
function elapsed(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
}

/**
 * Uploads a file through the desktop app, whose page sends no requests of its own: piece by piece, from where the upload
 * is, or from its beginning. Returns its address on the server.
 */
async function uploadInPieces(
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
