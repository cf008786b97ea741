import { DetailedError, Upload } from 'tus-js-client'
import { z } from 'zod'
import { CONSOLE_HEADER } from '../../../shared/console/web.ts'
import { HostedFileAnswer, type OpenUpload } from '../../../shared/hosted-file.ts'
import { parsedJson } from '../../../shared/parsed-json.ts'
import { serverClient } from '../clients.ts'
import { ConsoleError } from '../error.ts'
import { noticeSignedOut } from './session-end.ts'

/** Bytes in one request: what is sent again at most. */
const PIECE = 32 * 1_024 ** 2
/** Milliseconds before what failed is sent again, after each failure without progress. */
export const RETRIES = [500, 2_000, 5_000, 10_000]
/** Milliseconds between two looks at a file that the server copies to a bucket. */
export const LOOK = 1_000
const ErrorAnswer = z.object({ error: z.string() })

export interface UploadOptions {
  /** In lower-case hex. */
  readonly sha512: string
  /** Called with the bytes that have arrived. */
  readonly onProgress: (bytes: number) => void
  /** Ends the upload, which can go on later; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal
}

/** Uploads a file from where the upload is, or from its beginning. Returns its address on the server. */
export function uploadByTus(
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
