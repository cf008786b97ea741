import type { CheckProblem } from '../../../shared/plans/gate-check.ts'
import { guardedRequest } from '../guarded-request.ts'

/** Milliseconds that a server has to answer, and bytes of the longest answer. */
const TIMEOUT = 10_000
const MAX_ANSWER = 65_536

export interface GateServer {
  /** Scheme, host and port, as `URL` writes them. */
  readonly origin: string
  /** The value of `Authorization`, which no other server gets; null for none. */
  readonly authorization: string | null
}

export interface Asking {
  /** Those that an administrator allows. Their addresses may be private. */
  readonly servers: readonly GateServer[]
  readonly userAgent: string
  /** Milliseconds in place of 10 seconds. */
  readonly timeout?: number | undefined
  readonly signal: AbortSignal
}

/** The names of a release, which queries may use as `$app`, `$channel` and `$version`. */
export interface ReleaseNames {
  readonly app: string
  readonly channel: string
  readonly version: string
}

/** A value and the sessions that it is about, or why there is no value. */
export type Found =
  | { readonly value: number; readonly sessions: number | null }
  | {
      readonly problem: CheckProblem
      readonly status?: number | undefined
      readonly sessions?: number | undefined
    }

/** JSON of an answer with status 200, or why there is none. */
export type Answer =
  | { readonly json: unknown }
  | { readonly problem: CheckProblem; readonly status?: number | undefined }

/** Gets JSON from an allowed server. `path`: after its address. Follows no redirect, which would leak the authorization. Never rejects. */
export async function askServer(
  server: string,
  path: string,
  query: URLSearchParams,
  { servers, userAgent, timeout = TIMEOUT, signal }: Asking,
): Promise<Answer> {
  const url = URL.parse(server)
  const known = servers.find(({ origin }) => origin === url?.origin)
  if (url === null || known === undefined) return { problem: 'server_not_allowed' }
  url.pathname = url.pathname.replace(/\/*$/, path)
  url.search = query.toString()
  const { authorization } = known
  const result = await guardedRequest({
    ...{ method: 'GET', url, privateHosts: [url.host], signal, timeout, mostBytes: MAX_ANSWER },
    headers: {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(authorization === null ? {} : { authorization }),
    },
  })
  if (typeof result === 'string') return { problem: result }
  const { status } = result
  if (status !== 200) return { problem: problemOf(status), status }
  if (result.isCut) return { problem: 'too_large' }
  try {
    return { json: JSON.parse(result.body.toString('utf8')) }
  } catch {
    return { problem: 'malformed' }
  }
}

/** Returns a text with the names of a release in place of `$app`, `$channel` and `$version`. */
export function withNames(text: string, names: ReleaseNames): string {
  return text
    .replaceAll('$app', names.app)
    .replaceAll('$channel', names.channel)
    .replaceAll('$version', names.version)
}

function problemOf(status: number): CheckProblem {
  if (status >= 300 && status < 400) return 'redirected'
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 400 || status === 422) return 'query_refused'
  return status === 429 ? 'rate_limited' : 'error_status'
}
