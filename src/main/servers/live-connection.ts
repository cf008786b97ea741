import type { Agent } from 'node:http'
import { WebSocket } from 'ws'
import { CertificateError, RemoteCallError } from '../../remote/connection-error.ts'
import { type Endpoint, trustedAgent } from '../../remote/trusted-socket.ts'
import type { CallError, SubscribeRequest } from '../../shared/console/bridge/bridge.ts'
import { PortClient } from '../../shared/console/bridge/port-client.ts'
import { pull } from '../../shared/console/bridge/pull.ts'
import {
  CONNECT_AGAIN,
  LIVE_PROTOCOL,
  OUT_OF_CONTACT,
  SESSION_ENDED,
} from '../../shared/console/bridge/web.ts'
import { BackOff } from '../back-off.ts'

/** Milliseconds until the WebSocket must be open. */
const HANDSHAKE_TIME = 15_000
/** Milliseconds without a ping after which the connection is taken for lost: the server sends one every 20 s. */
const SILENCE = 65_000
/** Bytes of the longest message. */
const MAX_MESSAGE = 32 * 1_024 * 1_024

const ENDED: CallError = { code: 'unavailable', reason: 'server_ended' }
const LOST: CallError = { code: 'unavailable', reason: 'server_not_answering' }

/** How the connection is. `nextTryAt`: Unix time in milliseconds. `outOfContact`: the server said that it cannot reach its database. */
export type LiveState =
  | { readonly state: 'connecting' }
  | { readonly state: 'open' }
  | { readonly state: 'lost'; readonly nextTryAt: number; readonly outOfContact?: true }
  | { readonly state: 'session_ended' }
  | { readonly state: 'certificate_refused'; readonly error: CertificateError }

export interface LiveParts {
  readonly endpoint: Endpoint
  readonly cookie: string
  readonly onState: (state: LiveState) => void
}

/**
 * The one WebSocket to a server, over which it reports by itself. Connects when it is made, and again after it was
 * lost, ever later; not after the session has ended or a certificate was refused. Where the server asks for a new
 * connection, it makes one at once and reports no state: whoever subscribed subscribes anew.
 */
export class LiveConnection {
  readonly #parts: LiveParts
  readonly #agent: Agent
  readonly #backOff = new BackOff()
  #socket: WebSocket | undefined
  #client: PortClient | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false
  /** The server has said that it cannot reach its database; what fails since has the same cause. */
  #outOfContact = false
  /** Unix time in milliseconds; undefined unless the connection is lost. */
  #nextTryAt: number | undefined

  constructor(parts: LiveParts) {
    this.#parts = parts
    this.#agent = trustedAgent(parts.endpoint)
    this.#begin()
  }

  /** Tries again now, if it is lost or was refused. */
  retry(): void {
    if (this.#socket === undefined && !this.#isClosed) this.#begin()
  }

  /** Notes that the server has refused a call because it cannot reach its database. */
  noteOutOfContact(): void {
    if (this.#outOfContact || this.#nextTryAt === undefined) return
    this.#outOfContact = true
    this.#tellLost(this.#nextTryAt)
  }

  /** Disconnects for good. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#backOff.forget()
    this.#socket?.terminate()
    this.#agent.destroy()
  }

  /** Yields what a subscription reports. Throws a `RemoteCallError` when it fails, or there is no connection. */
  async *subscribe(
    request: SubscribeRequest,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<unknown, void> {
    const client = this.#client
    if (client === undefined) throw new RemoteCallError(LOST)
    const end = new AbortController()
    let waiting: unknown[] = []
    let failure: CallError | undefined
    const listen = (wake: () => void) =>
      client.subscribe(request, (event) => {
        if (event.type === 'data') waiting.push(event.data)
        else end.abort()
        if (event.type === 'error') failure = event.error
        wake()
      })
    const take = () => {
      const values = waiting
      waiting = []
      return values
    }
    yield* pull(signal ? AbortSignal.any([signal, end.signal]) : end.signal, listen, take)
    if (signal?.aborted) return
    // What came together with the end.
    yield* take()
    if (failure !== undefined) throw new RemoteCallError(failure)
  }

  #begin(): void {
    clearTimeout(this.#retry)
    this.#nextTryAt = undefined
    this.#parts.onState({ state: 'connecting' })
    this.#connect()
  }

  #connect(): void {
    const { endpoint, cookie, onState } = this.#parts
    const address = `${endpoint.url.replace(/^http/, 'ws')}/console/live`
    const socket = new WebSocket(address, LIVE_PROTOCOL, {
      origin: new URL(endpoint.url).origin,
      headers: { Cookie: cookie },
      handshakeTimeout: HANDSHAKE_TIME,
      maxPayload: MAX_MESSAGE,
      perMessageDeflate: false,
      followRedirects: false,
      agent: this.#agent,
    })
    this.#socket = socket
    const silence = setTimeout(() => socket.terminate(), SILENCE)
    let refused: CertificateError | undefined
    socket.on('open', () => {
      this.#backOff.up()
      this.#outOfContact = false
      this.#client = new PortClient((message) => socket.send(JSON.stringify(message)))
      onState({ state: 'open' })
    })
    socket.on('ping', () => silence.refresh())
    socket.on('message', (data) => {
      try {
        this.#client?.receive(JSON.parse(String(data)))
      } catch {
        socket.close(1_007)
      }
    })
    // Followed by `close`.
    socket.on('error', (error) => {
      if (error instanceof CertificateError) refused = error
    })
    socket.on('close', (code) => {
      clearTimeout(silence)
      this.#socket = undefined
      this.#client?.close(ENDED)
      this.#client = undefined
      if (this.#isClosed) return
      if (code === OUT_OF_CONTACT) this.#outOfContact = true
      if (refused !== undefined) onState({ state: 'certificate_refused', error: refused })
      else if (code === SESSION_ENDED) onState({ state: 'session_ended' })
      else if (code === CONNECT_AGAIN) this.#connect()
      else this.#tryLater()
    })
  }

  #tryLater(): void {
    this.#backOff.failed()
    const { delay } = this.#backOff
    this.#retry = setTimeout(() => this.#begin(), delay)
    this.#tellLost(Date.now() + delay)
  }

  #tellLost(nextTryAt: number): void {
    this.#nextTryAt = nextTryAt
    const why = this.#outOfContact ? ({ outOfContact: true } as const) : {}
    this.#parts.onState({ state: 'lost', nextTryAt, ...why })
  }
}
