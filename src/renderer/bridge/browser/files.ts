import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import { CallError } from '../../../shared/console/bridge/bridge.ts'
import { CONSOLE_HEADER } from '../../../shared/console/bridge/web.ts'
import { UploadedBackup } from '../../../shared/console/settings/backups.ts'
import { ConsoleError } from '../error.ts'
import { noticeSignedOut } from './session-end.ts'

const NO_ANSWER: CallError = { code: 'unavailable', reason: 'server_not_answering' }

interface UploadOptions {
  /** Called with the part that was sent, from 0 to 1. */
  readonly onProgress: (part: number) => void
  /** Ends the upload; the promise then rejects with the signal's reason. */
  readonly signal: AbortSignal
}

/** Uploads a backup, to be read and restored. Rejects with a `ConsoleError`. */
export function uploadBackup(
  file: File,
  { onProgress, signal }: UploadOptions,
): Promise<UploadedBackup> {
  const address = new URL('uploads/backup', document.baseURI)
  address.searchParams.set('name', file.name)
  address.searchParams.set('modified', String(file.lastModified))
  // Not fetch, which does not say how much was sent.
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => {
      request.abort()
      reject(signal.reason)
    })
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgress(total === 0 ? 0 : loaded / total)
    })
    request.addEventListener('error', () => reject(ConsoleError.of(NO_ANSWER)))
    request.addEventListener('load', () => {
      const uploaded = UploadedBackup.safeParse(parsedJson(request.responseText))
      if (uploaded.success) resolve(uploaded.data)
      else reject(errorOf(request))
    })
    request.open('PUT', address)
    request.setRequestHeader(CONSOLE_HEADER, '1')
    request.send(file)
  })
}

/** Has the browser download a backup by a ticket for it. */
export function openDownload(ticket: string): void {
  const link = document.createElement('a')
  link.href = new URL(`downloads/${ticket}`, document.baseURI).href
  link.download = ''
  link.click()
}

function errorOf(request: XMLHttpRequest): ConsoleError {
  if (request.status === 401) noticeSignedOut()
  // Malformed if a proxy or nobody sent it.
  const answer = parsedJson(request.responseText)
  const sent = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'callError') : {}
  const parsed = CallError.safeParse(sent)
  return ConsoleError.of(parsed.success ? parsed.data : NO_ANSWER)
}
