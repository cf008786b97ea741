import { type Agent, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { parseSetCookie } from 'cookie'
import { CONSOLE_HEADER, SESSION_COOKIE } from '../shared/console/web.ts'
import { ConnectionError } from './connection-error.ts'
import { trustedAgent } from './trusted-agent.ts'
import type { Endpoint } from './trusted-socket.ts'

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

/** An answer whose body is JSON. */
export interface JsonAnswer {
  readonly status: number
  readonly json: unknown
  /** The session that it gives; null if it takes it away. */
  readonly session: SessionCookie | null | undefined
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
        session: sessionOf(response),
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

/** The session that an answer sets: the last cookie of that name, with or without the prefix for TLS. */
function sessionOf({ headers }: IncomingMessage): SessionCookie | null | undefined {
  const cookie = (headers['set-cookie'] ?? [])
    .map((line) => parseSetCookie(line))
    .findLast(({ name }) => name === SESSION_COOKIE || name === `__Host-${SESSION_COOKIE}`)
  if (cookie === undefined) return undefined
  const { name, value, expires } = cookie
  if (value === undefined || value === '' || expires === undefined) return null
  return { cookie: `${name}=${value}`, expiresAt: expires.toISOString() }
}
