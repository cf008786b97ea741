import { CallError } from '../shared/console/bridge.ts'
import { type UploadPiece, UploadProgress } from '../shared/console/uploads.ts'
import { RemoteCallError } from './connection-error.ts'
import type { HttpClient, Sender } from './http-client.ts'
import { refusedBy } from './remote-calls.ts'

/** Where pieces are sent to, and with what. */
interface PieceParts {
  readonly http: HttpClient
  /** Of the console, such as `https://studio.example/console`. */
  readonly url: string
  readonly sender: Sender
}

/**
 * Appends a piece to an upload on another server. Rejects with a `RemoteCallError` for what the server refuses, with a
 * `ConnectionError` if it does not answer.
 */
export async function appendRemotely(
  { http, url, sender }: PieceParts,
  { id, offset, content }: UploadPiece,
): Promise<UploadProgress> {
  const query = new URLSearchParams({ id, offset: String(offset) })
  const request = { sender, method: 'PUT', body: content } as const
  const { status, json } = await http.send(`${url}/uploads/piece?${query}`, request)
  const progress = UploadProgress.safeParse(json)
  if (progress.success) return progress.data
  const sent =
    typeof json === 'object' && json !== null ? Reflect.get(json, 'callError') : undefined
  const error = CallError.safeParse(sent)
  throw error.success ? new RemoteCallError(error.data) : refusedBy(status)
}
