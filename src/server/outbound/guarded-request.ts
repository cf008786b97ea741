import { Resolver } from 'node:dns/promises'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { request as requestHttp } from '../../shared/basics/node-http.ts'
import type { NoAnswer } from '../../shared/events/webhook.ts'
import {
  type FindAddresses,
  isAllowedPrivate,
  isPublicAddress,
  literalAddress,
  PrivateAddressError,
  publicLookup,
} from './address-guard.ts'

export interface GuardedRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Hosts that may have private addresses, see `isAllowedPrivate`. */
  readonly privateHosts: readonly string[]
  /** Ends the request; the failure is then `broken_off`. */
  readonly signal: AbortSignal
  /** Milliseconds that it may take, from the lookup to the end of the response. */
  readonly timeout: number
  /** Bytes of the response that are read. */
  readonly mostBytes: number
}

export interface GuardedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Its first bytes. */
  readonly body: Buffer
  /** Whether there are more. */
  readonly isCut: boolean
}

/** Sends a request to what an administrator entered: no redirect, a bounded response, no forbidden address. Never rejects. */
export async function guardedRequest(task: GuardedRequest): Promise<GuardedResponse | NoAnswer> {
  const deadline = AbortSignal.timeout(task.timeout)
  try {
    return await exchange(task, AbortSignal.any([deadline, task.signal]))
  } catch (error) {
    return deadline.aborted ? 'timed_out' : failureOf(error)
  }
}

async function exchange(
  { method, url, headers, body, privateHosts, mostBytes }: GuardedRequest,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  const isPrivateAllowed = isAllowedPrivate(url, privateHosts)
  const literal = literalAddress(url)
  // A literal address is connected to without a lookup.
  if (literal !== undefined && !isPrivateAllowed && !isPublicAddress(literal)) {
    throw new PrivateAddressError(literal)
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const request: ClientRequest = send(
    url,
    {
      method,
      headers: { ...headers, ...length },
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
    const start = await readStart(response, mostBytes)
    return { status: response.statusCode ?? 0, headers: response.headers, ...start }
  } finally {
    request.destroy()
  }
}

/** Reads the first bytes; the rest is never asked for. */
async function readStart(
  response: IncomingMessage,
  mostBytes: number,
): Promise<Pick<GuardedResponse, 'body' | 'isCut'>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > mostBytes) break
  }
  return { body: Buffer.concat(chunks).subarray(0, mostBytes), isCut: bytes > mostBytes }
}

function failureOf(error: unknown): NoAnswer {
  if (error instanceof PrivateAddressError) return 'private_address'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return 'unresolved'
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|EPROTO|ERR_SSL/.test(code)) return 'certificate'
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code)) return 'unreachable'
  return code === 'ETIMEDOUT' ? 'timed_out' : 'broken_off'
}

/** Milliseconds that one DNS server has to answer, and how often each is asked. */
const TIMEOUT = 3_000
const TRIES = 2

/**
 * Returns a lookup that asks those DNS servers alone, without the system's resolver and its hosts file. `servers`: IP
 * addresses, each with or without a port, as `dns.setServers` takes them.
 */
export function addressesFrom(servers: readonly string[]): FindAddresses {
  const resolver = new Resolver({ timeout: TIMEOUT, tries: TRIES })
  resolver.setServers([...servers])
  return (hostname, options, found) => {
    const asked = [
      ...(options.family === 6 ? [] : [resolver.resolve4(hostname).then(as(4))]),
      ...(options.family === 4 ? [] : [resolver.resolve6(hostname).then(as(6))]),
    ]
    void Promise.allSettled(asked).then((answers) => {
      const addresses = answers.flatMap((answer) =>
        answer.status === 'fulfilled' ? answer.value : [],
      )
      const failed = answers.find((answer) => answer.status === 'rejected')
      if (addresses.length > 0) found(null, addresses)
      else found(failed?.reason ?? new Error(`${hostname} has no address`), [])
    })
  }
}

function as(family: 4 | 6) {
  return (addresses: readonly string[]) => addresses.map((address) => ({ address, family }))
}
