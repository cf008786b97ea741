import { createTRPCUntypedClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { CallError, type CallRequest } from '../shared/console/bridge/bridge.ts'
import type { ConnectionFailure } from '../shared/console/desktop/remote-servers.ts'
import { type UploadPiece, UploadProgress } from '../shared/console/uploads.ts'
import { ConnectionError, RemoteCallError } from './connection-error.ts'
import type { GivenCookies, HttpClient, Sender } from './http-client.ts'

/** Most calls in one request; the server takes no more. */
const MAX_BATCH = 20

/** What the calls are sent over, and with. */
export interface CallParts {
  readonly http: HttpClient
  /** Of the router, such as `https://studio.example/console/api`. */
  readonly url: string
  /** Asked at every request. */
  readonly sender: () => Sender
  /** Hears of the cookies that answers set, or take away. */
  readonly onCookies?: (cookies: GivenCookies) => void
}

/** The procedures of a router on another server: in batches, always by POST. */
export class RemoteCalls {
  readonly #client

  constructor({ http, url, sender, onCookies }: CallParts) {
    this.#client = createTRPCUntypedClient<AnyTRPCRouter>({
      links: [
        httpBatchLink({
          url,
          methodOverride: 'POST',
          maxItems: MAX_BATCH,
          async fetch(input, init) {
            const { body, signal } = init ?? {}
            const { status, json, cookies } = await http.send(String(input), {
              sender: sender(),
              body: typeof body === 'string' ? body : '',
              signal: signal instanceof AbortSignal ? signal : undefined,
            })
            onCookies?.(cookies)
            if (!Array.isArray(json)) throw refusedBy(status)
            return { ok: status < 400, json: async () => json }
          },
        }),
      ],
    })
  }

  /** Rejects with a `RemoteCallError` for what the server answers, with a `ConnectionError` if it does not. */
  async call({ type, path, input }: CallRequest): Promise<unknown> {
    try {
      return await (type === 'query'
        ? this.#client.query(path, input)
        : this.#client.mutation(path, input))
    } catch (error) {
      throw errorOf(error)
    }
  }
}

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

/** Returns the error of an answer with that status that is not the console's. */
function refusedBy(status: number): ConnectionError {
  return new ConnectionError(STATUSES[status] ?? 'not_tidegate', String(status))
}

const STATUSES: Readonly<Record<number, ConnectionFailure['reason']>> = {
  403: 'not_allowed',
  404: 'no_console',
  421: 'unknown_host',
  429: 'too_many_requests',
}

function errorOf(error: unknown): Error {
  if (!(error instanceof TRPCClientError)) return ConnectionError.of(error)
  const parsed = CallError.safeParse(error.data?.callError)
  if (parsed.success) return new RemoteCallError(parsed.data)
  if (error.cause instanceof ConnectionError) return error.cause
  // An error of a newer server, perhaps.
  if (error.data !== undefined && error.data !== null) {
    return new RemoteCallError({ code: 'internal', reason: 'server_error' })
  }
  return new ConnectionError('not_tidegate', error.message)
}
