import { DetailedError, Upload } from 'tus-js-client'
import { z } from 'zod'
import { parsedJson } from '../../shared/basics/parsed-json.ts'
import { CONSOLE_HEADER } from '../../shared/console/bridge/web.ts'
import { UPLOAD_PIECE } from '../../shared/console/uploads.ts'
import { HostedFileAnswer, type OpenUpload } from '../../shared/files/hosted-file.ts'
import { noticeSignedOut } from './browser/session-end.ts'
import { isDesktop, serverClient } from './clients.ts'
import { ConsoleError, consoleErrorOf } from './error.ts'

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

/** Bytes in one request: what is sent again at most. */
const PIECE = 32 * 1_024 ** 2
/** Milliseconds before what failed is sent again, after each failure without progress. */
const RETRIES = [500, 2_000, 5_000, 10_000]
/** Milliseconds between two looks at a file that the server copies to a bucket. */
const LOOK = 1_000
const ErrorAnswer = z.object({ error: z.string() })

interface UploadOptions {
  /** In lower-case hex. */
  readonly sha512: string
  /** Called with the bytes that have arrived. */
  readonly onProgress: (bytes: number) => void
  /** Ends the upload, which can go on later; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal
}

/** Uploads a file from where the upload is, or from its beginning. Returns its address on the server. */
function uploadByTus(
  file: File,
  begun: OpenUpload | null,
  { sha512, onProgress, signal }: UploadOptions,
): Promise<string> {
  const endpoint = new URL('artifacts/uploads', document.baseURI).href
  const uploadUrl = begun === null ? null : `${endpoint}/${begun.id}`
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      ...{ endpoint, uploadUrl, chunkSize: PIECE, retryDelays: RETRIES },
      headers: { [CONSOLE_HEADER]: '1' },
      metadata: { filename: file.name, sha512 },
      // The server knows by the hash what there is of a file.
      storeFingerprintForResuming: false,
      onProgress,
      onSuccess: ({ lastResponse }) => {
        const answer = HostedFileAnswer.safeParse(parsedJson(lastResponse.getBody()))
        if (answer.success) resolve(answer.data.file.url)
        else resolve(whenStored(sha512, signal, ConsoleError.of(NO_ANSWER)))
      },
      onError: (error) => {
        // All of it may have arrived, and be on its way to a bucket.
        if (statusOf(error) === 503) resolve(whenStored(sha512, signal, reasonOf(error)))
        else reject(reasonOf(error))
      },
    })
    signal.addEventListener('abort', () => {
      void upload.abort()
      reject(signal.reason)
    })
    upload.start()
  })
}

const NO_ANSWER = { code: 'unavailable', reason: 'server_not_answering' } as const

/** Returns the address of a file of which all has arrived, once it is stored. Throws `failure` if some of it is missing. */
async function whenStored(sha512: string, signal: AbortSignal, failure: Error): Promise<string> {
  for (;;) {
    signal.throwIfAborted()
    const { file, upload } = await serverClient.files.find.mutate({ sha512 })
    if (file !== null) return file.url
    if (upload === null || upload.offset < upload.size) throw failure
    await new Promise((resolve) => setTimeout(resolve, LOOK))
  }
}

function statusOf(error: Error): number | undefined {
  return error instanceof DetailedError ? error.originalResponse?.getStatus() : undefined
}

/** The sentence of the server, if it has answered with one. */
function reasonOf(error: Error): Error {
  const response = error instanceof DetailedError ? error.originalResponse : null
  if (statusOf(error) === 401) noticeSignedOut()
  const answer = ErrorAnswer.safeParse(parsedJson(response?.getBody() ?? ''))
  return answer.success ? new Error(answer.data.error) : ConsoleError.of(NO_ANSWER)
}
