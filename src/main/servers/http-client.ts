import { type Agent, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { parseSetCookie } from 'cookie'
import { CONSOLE_HEADER, SESSION_COOKIE } from '../../shared/console/web.ts'
import { ConnectionError } from './connection-error.ts'
import { trustedAgent } from './trusted-agent.ts'
import type { Endpoint } from './trusted-socket.ts'

/** Milliseconds that a call may take. */
const CALL_TIME = 60_000
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

/** Sends calls to one server, over connections to the certificate that is accepted and no other. */
export class HttpClient {
  readonly #endpoint: Endpoint
  readonly #agent: Agent

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
    this.#agent = trustedAgent(endpoint)
  }

  /**
   * Posts JSON and returns the answer to it, whatever its status. Redirects are not followed. Rejects with a
   * `ConnectionError`, also where the answer is no JSON, too long or too late.
   */
  async post(
    url: string,
    body: string,
    { cookie, signal }: { cookie: string | undefined; signal?: AbortSignal | null | undefined },
  ): Promise<JsonAnswer> {
    const late = AbortSignal.timeout(CALL_TIME)
    try {
      const response = await this.#send(url, body, {
        cookie,
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

  #send(url: string, body: string, options: { cookie: string | undefined; signal: AbortSignal }) {
    const { cookie, signal } = options
    const send = url.startsWith('http:') ? requestPlain : requestTls
    return new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(url, {
        method: 'POST',
        agent: this.#agent,
        signal,
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          Origin: new URL(this.#endpoint.url).origin,
          [CONSOLE_HEADER]: '1',
          ...(cookie === undefined ? {} : { Cookie: cookie }),
        },
      })
      request.once('response', resolve)
      request.once('error', reject)
      request.end(body)
    })
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
