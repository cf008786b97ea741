import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { request as requestHttp } from '../../../shared/basics/node-http.ts'
import {
  type FindAddresses,
  guardedLookup,
  literalAddress,
  PrivateAddressError,
} from '../address-guard.ts'
import type { AllowedHosts } from '../allowed-hosts.ts'
import { ProofError } from './proof-error.ts'
import type { Watch } from './timeouts.ts'

/** Redirects that are followed. */
const MAX_REDIRECTS = 5

export interface DownloadRules {
  readonly hosts: AllowedHosts
  /** Undefined: as the system does. */
  readonly find: FindAddresses | undefined
  readonly userAgent: string
  readonly watch: Watch
  /** Ends the download. */
  readonly signal: AbortSignal
  /** Hears of every host that is asked. */
  readonly onHost: (host: string) => void
  /** The only bytes that are asked for; all by default. */
  readonly range?: ByteRange | undefined
}

/** Bytes of a file. */
export interface ByteRange {
  readonly offset: number
  /** At least 1. */
  readonly length: number
}

/**
 * Asks for a file, and returns the response with its body unread: status 200, for a range 206, uncompressed. Each address on the way
 * is held against the allowed hosts before it is asked, and what its host resolves to is checked by the connection
 * itself. The caller destroys the response. Throws `ProofError`, `PrivateAddressError`, `TimedOut` and errors of Node.
 */
export async function openDownload(url: string, rules: DownloadRules): Promise<IncomingMessage> {
  const lookup = guardedLookup((address) => rules.hosts.hasAddress(address), rules.find)
  let target = urlOf(url)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    rules.onHost(target.host)
    refuseForbidden(target, rules.hosts)
    const response = await ask(target, lookup, rules)
    const next = redirectOf(response, target)
    if (next === undefined) return accepted(response, rules)
    response.destroy()
    target = next
  }
  throw new ProofError({ code: 'too_many_redirects', maximum: MAX_REDIRECTS })
}

/**
 * Asks for a file at an address that this server has signed itself, in the bucket that its administrator has named: so
 * wherever that is. The caller destroys the response. Throws `ProofError`, `TimedOut` and errors of Node.
 */
export async function openSigned(
  address: string,
  rules: Omit<DownloadRules, 'hosts' | 'find'>,
): Promise<IncomingMessage> {
  const target = urlOf(address)
  rules.onHost(target.host)
  return accepted(await ask(target, undefined, rules), rules)
}

function urlOf(text: string, base?: URL): URL {
  const url = URL.parse(text, base)
  if (url === null) throw new ProofError({ code: 'url_not_allowed', reason: 'malformed' })
  return url
}

function refuseForbidden(url: URL, hosts: AllowedHosts): void {
  const { protocol, username, password, host } = url
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new ProofError({ code: 'url_not_allowed', reason: 'protocol' })
  }
  if (username !== '' || password !== '') {
    throw new ProofError({ code: 'url_not_allowed', reason: 'credentials' })
  }
  if (!hosts.hasHost(url)) throw new ProofError({ code: 'host_not_allowed', host })
  // A literal address is connected to without a lookup.
  const literal = literalAddress(url)
  if (literal !== undefined && !hosts.hasAddress(literal)) throw new PrivateAddressError(literal)
}

async function ask(
  url: URL,
  lookup: LookupFunction | undefined,
  { watch, signal, userAgent, range }: Omit<DownloadRules, 'hosts' | 'find'>,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const isSecure = url.protocol === 'https:'
  watch.connecting()
  const request: ClientRequest = (isSecure ? requestHttps : requestHttp)(
    url,
    {
      headers: { 'accept-encoding': 'identity', 'user-agent': userAgent, ...rangeOf(range) },
      // A connection of its own: none that an earlier lookup opened is used again.
      agent: false,
      ...(lookup === undefined ? {} : { lookup }),
      signal: AbortSignal.any([signal, watch.signal]),
    },
    resolve,
  )
  request.on('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => watch.waiting())
  })
  request.on('error', reject)
  request.end()
  try {
    return await promise
  } catch (error) {
    watch.signal.throwIfAborted()
    throw error
  }
}

function redirectOf({ statusCode, headers }: IncomingMessage, from: URL): URL | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode ?? 0)
  return isRedirect && headers.location !== undefined ? urlOf(headers.location, from) : undefined
}

function rangeOf(range: ByteRange | undefined): { range?: string } {
  if (range === undefined) return {}
  return { range: `bytes=${range.offset}-${range.offset + range.length - 1}` }
}

function accepted(
  response: IncomingMessage,
  { range }: Pick<DownloadRules, 'range'>,
): IncomingMessage {
  const refuse = (error: ProofError) => {
    response.destroy()
    return error
  }
  const { statusCode: status = 0, headers } = response
  const wanted = range === undefined ? 200 : 206
  if (status !== wanted) throw refuse(new ProofError({ code: 'status', status }))
  const encoding = encodingOf(headers)
  if (encoding !== undefined) throw refuse(new ProofError({ code: 'compressed', encoding }))
  return response
}

/** Returns the compression of a body, undefined for none. A transfer may be chunked, which is none. */
function encodingOf(headers: IncomingMessage['headers']): string | undefined {
  const named = [headers['content-encoding'], headers['transfer-encoding']].flatMap(
    (value) => value?.split(',') ?? [],
  )
  return named
    .map((name) => name.trim().toLowerCase())
    .find((name) => name !== '' && name !== 'identity' && name !== 'chunked')
}
