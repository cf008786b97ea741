import type { Agent, IncomingMessage } from 'node:http'
import { request as requestTls } from 'node:https'
import { parseSetCookie, type SetCookie } from 'cookie'
import { request as requestPlain } from '../shared/basics/node-http.ts'
import {
  BROWSER_COOKIE,
  CONSOLE_HEADER,
  cookieName,
  SESSION_COOKIE,
} from '../shared/console/bridge/web.ts'
import { ConnectionError } from './connection-error.ts'
import { type Endpoint, trustedAgent } from './trusted-socket.ts'

/** Milliseconds that a call may take, beside the time that its body takes. */
const CALL_TIME = 60_000
/** Bytes per millisecond that a connection sends at least. */
const SLOWEST = 16
/** Bytes of the longest answer. */
const MAX_ANSWER = 32 * 1_024 * 1_024

/** The cookie of a session. `expiresAt`: ISO 8601. */
export interface SessionCookie {
  readonly cookie: string
  readonly expiresAt: string
}

/** What an answer gives a page to keep. */
export interface GivenCookies {
  /** Null if it takes the session away. */
  readonly session?: SessionCookie | null
  /** Name and value of the cookie that says that somebody has signed in before. */
  readonly browser?: string
}

/** An answer whose body is JSON. */
export interface JsonAnswer {
  readonly status: number
  readonly json: unknown
  readonly cookies: GivenCookies
}

/** Whom a request comes from: a page with its cookie, or a program with a token. */
export type Sender =
  | { readonly kind: 'page'; readonly cookie: string | undefined }
  | {
      readonly kind: 'program'
      /** For `User-Agent` (RFC 9110 section 10.1.5). */
      readonly name: string
      readonly token: string | undefined
    }

/** A request to send. `body`: JSON, or bytes; empty for none. */
export interface HttpRequest {
  readonly sender: Sender
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal | null | undefined
}

/** Sends calls to one server, over connections to the certificate that is accepted and no other. */
export class HttpClient {
  readonly #endpoint: Endpoint
  readonly #agent: Agent

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
    this.#agent = trustedAgent(endpoint)
  }

  /**
   * Sends a request, with a body if there is one, and returns the answer to it, whatever its status. Redirects
   * are not followed. Rejects with a `ConnectionError`, also where the answer is no JSON, too long or too late.
   */
  async send(
    url: string,
    { sender, method = 'POST', body = '', signal }: HttpRequest,
  ): Promise<JsonAnswer> {
    const late = AbortSignal.timeout(CALL_TIME + Math.ceil(body.length / SLOWEST))
    try {
      const response = await this.#request(url, {
        ...{ method, body, headers: headersOf(sender, this.#endpoint) },
        signal: signal == null ? late : AbortSignal.any([late, signal]),
      })
      const text = await readText(response)
      return {
        status: response.statusCode ?? 0,
        json: parse(text, response),
        cookies: cookiesOf(response),
      }
    } catch (error) {
      throw late.aborted ? new ConnectionError('timed_out') : ConnectionError.of(error)
    }
  }

  /** Ends all connections. */
  close(): void {
    this.#agent.destroy()
  }

  #request(
    url: string,
    request: {
      readonly method: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | Uint8Array
      readonly signal: AbortSignal
    },
  ) {
    const { method, headers, body, signal } = request
    const send = url.startsWith('http:') ? requestPlain : requestTls
    const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
    const content =
      body.length === 0 ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }
    return new Promise<IncomingMessage>((resolve, reject) => {
      const sent = send(url, {
        ...{ method, agent: this.#agent, signal },
        headers: { ...content, ...headers },
      })
      sent.once('response', resolve)
      sent.once('error', reject)
      sent.end(body)
    })
  }
}

function headersOf(sender: Sender, { url }: Endpoint): Record<string, string> {
  switch (sender.kind) {
    case 'page': {
      const cookie = sender.cookie === undefined ? {} : { Cookie: sender.cookie }
      return { Origin: new URL(url).origin, [CONSOLE_HEADER]: '1', ...cookie }
    }
    case 'program': {
      const token = sender.token === undefined ? {} : { Authorization: `Bearer ${sender.token}` }
      return { 'User-Agent': sender.name, ...token }
    }
    default:
      return sender satisfies never
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER) throw new ConnectionError('answer_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string, { statusCode }: IncomingMessage): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConnectionError('not_tidegate', String(statusCode))
  }
}

/** What an answer sets: the last cookie of each name, with or without the prefix for TLS. */
function cookiesOf({ headers }: IncomingMessage): GivenCookies {
  const set = (headers['set-cookie'] ?? []).map((line) => parseSetCookie(line))
  const last = (wanted: string) =>
    set.findLast(({ name }) => name === wanted || name === cookieName(wanted, true))
  const [session, browser] = [last(SESSION_COOKIE), last(BROWSER_COOKIE)]
  return {
    ...(session === undefined ? {} : { session: sessionOf(session) }),
    ...(browser?.value ? { browser: `${browser.name}=${browser.value}` } : {}),
  }
}

function sessionOf({ name, value, expires }: SetCookie): SessionCookie | null {
  if (value === undefined || value === '' || expires === undefined) return null
  return { cookie: `${name}=${value}`, expiresAt: expires.toISOString() }
}
