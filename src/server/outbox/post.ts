import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { request as requestHttp } from '../../shared/node-http.ts'
import type { AttemptFailure } from '../../shared/webhook.ts'
import {
  isAllowedPrivate,
  isPublicAddress,
  literalAddress,
  PrivateAddressError,
  publicLookup,
} from '../outbound/address-guard.ts'

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
 * Sends a POST request to what an administrator entered. Follows no redirect, reads at most 4 KiB, and connects to
 * no private address unless the host is allowed. Never rejects.
 */
export async function post(task: PostTask): Promise<PostResult> {
  const deadline = AbortSignal.timeout(task.timeout ?? TIMEOUT)
  const signal = AbortSignal.any([deadline, task.signal])
  try {
    return await exchange(task, signal)
  } catch (error) {
    const failure = deadline.aborted ? 'timed_out' : failureOf(error)
    return { status: null, failure, response: '', retryAfter: 0 }
  }
}

async function exchange({ url, headers, body, privateHosts }: PostTask, signal: AbortSignal) {
  const target = new URL(url)
  const isPrivateAllowed = isAllowedPrivate(target, privateHosts)
  const literal = literalAddress(target)
  // A literal address is connected to without a lookup.
  if (literal !== undefined && !isPrivateAllowed && !isPublicAddress(literal)) {
    throw new PrivateAddressError(literal)
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  const request: ClientRequest = send(
    target,
    {
      method: 'POST',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
      // A connection of its own: none that an earlier lookup opened is used again.
      agent: false,
      signal,
      ...(isPrivateAllowed ? {} : { lookup: publicLookup }),
    },
    resolve,
  )
  request.on('error', reject)
  request.end(body)
  try {
    const response = await promise
    const text = await readStart(response)
    const status = response.statusCode ?? 0
    return { status, failure: null, response: text, retryAfter: retryAfterOf(response) }
  } finally {
    request.destroy()
  }
}

/** Reads the first bytes; the rest is never asked for. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MAX_READ) break
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_READ))
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '').slice(0, MAX_KEPT)
}

function retryAfterOf({ headers }: IncomingMessage): number {
  const seconds = headers['retry-after']
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : 0
}

function failureOf(error: unknown): AttemptFailure {
  if (error instanceof PrivateAddressError) return 'private_address'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return 'unresolved'
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|EPROTO|ERR_SSL/.test(code)) return 'certificate'
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return 'unreachable'
  return code === 'ETIMEDOUT' ? 'timed_out' : 'broken_off'
}
