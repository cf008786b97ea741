import type { IncomingHttpHeaders } from 'node:http'
import type { AttemptFailure } from '../../shared/webhook.ts'
import { guardedRequest } from '../outbound/guarded-request.ts'

/** Milliseconds that an attempt may take, from the lookup to the end of the response. */
const TIMEOUT = 15_000
/** Bytes of a response that are read, and characters of them that are kept. */
const MAX_READ = 4_096
const MAX_KEPT = 500

/** What came of a request: a status, or why there is none. */
export interface PostResult {
  readonly status: number | null
  readonly failure: AttemptFailure | null
  readonly response: string
  /** Milliseconds that the response asks to wait, from `Retry-After` in seconds. */
  readonly retryAfter: number
}

export interface PostTask {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Hosts that may have private addresses, see `isAllowedPrivate`. */
  readonly privateHosts: readonly string[]
  /** Ends the attempt; the result is then `broken_off`. */
  readonly signal: AbortSignal
  /** Milliseconds in place of 15 seconds. */
  readonly timeout?: number | undefined
}

/**
 * Sends a POST request to what an administrator entered, as `guardedRequest` does. Reads at most 4 KiB of the response.
 * Never rejects.
 */
export async function post({ url, timeout = TIMEOUT, ...task }: PostTask): Promise<PostResult> {
  const place = { method: 'POST', url: new URL(url) } as const
  const result = await guardedRequest({ ...task, ...place, timeout, mostBytes: MAX_READ })
  if (typeof result === 'string') {
    return { status: null, failure: result, response: '', retryAfter: 0 }
  }
  const { status, body, headers } = result
  const text = new TextDecoder().decode(body)
  const response = text.replaceAll(/[^\P{Cc}\n\t]/gu, '').slice(0, MAX_KEPT)
  return { status, failure: null, response, retryAfter: retryAfterOf(headers) }
}

function retryAfterOf(headers: IncomingHttpHeaders): number {
  const seconds = headers['retry-after']
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : 0
}
