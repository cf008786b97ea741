import type {
  CallError,
  SubscribeRequest,
  SubscriptionEvent,
} from '../../../shared/console/bridge/bridge.ts'
import { PortClient } from '../../../shared/console/bridge/port-client.ts'
import {
  CONNECT_AGAIN,
  LIVE_PROTOCOL,
  OUT_OF_CONTACT,
  SESSION_ENDED,
} from '../../../shared/console/bridge/web.ts'
import { noticeAccessChanged, noticeSignedOut } from './session-end.ts'

const ENDED: CallError = { code: 'unavailable', reason: 'server_ended' }

/** Milliseconds until the next try, after that many failed ones. */
const PAUSES = [1_000, 2_000, 5_000, 10_000]

/** Whether the server can be reached; until then, when it is tried again, and whether it has said why. */
export type LiveState =
  | { readonly state: 'connecting' }
  | { readonly state: 'open' }
  | { readonly state: 'lost'; readonly nextTryAt: number; readonly outOfContact?: true }

/**
 * The one connection that a tab keeps open, for everything that the server reports by itself. It connects
 * with the first subscriber or follower and stays: browsers allow few connections to a host over HTTP/1.1, but
 * many WebSockets.
 */
export class LiveConnection {
  readonly #address: () => string
  readonly #followers = new Set<(state: LiveState) => void>()
  #state: LiveState = { state: 'connecting' }
  #client: Promise<PortClient> | undefined
  #failures = 0
  /** It has closed the connection for that; what fails since has the same cause. */
  #outOfContact = false
  #retry: ReturnType<typeof setTimeout> | undefined

  /** `address`: of the WebSocket, asked for at every try. */
  constructor(address: () => string) {
    this.#address = address
  }

  /** Calls `follower` with the state now and with every later one. Returns what ends that. */
  follow(follower: (state: LiveState) => void): () => void {
    this.#followers.add(follower)
    follower(this.#state)
    void this.#connect()
    return () => this.#followers.delete(follower)
  }

  /** Follows a subscription until the returned function is called. */
  subscribe(request: SubscribeRequest, listener: (event: SubscriptionEvent) => void): () => void {
    let end: (() => void) | undefined
    let ended = false
    void this.#connect().then((client) => {
      if (!ended) end = client.subscribe(request, listener)
    })
    return () => {
      ended = true
      end?.()
    }
  }

  /** Tries again now. */
  retry(): void {
    if (this.#state.state === 'open') return
    clearTimeout(this.#retry)
    void this.#connect()
  }

  #connect(): Promise<PortClient> {
    this.#client ??= new Promise((resolve) => {
      clearTimeout(this.#retry)
      const socket = new WebSocket(this.#address(), LIVE_PROTOCOL)
      const client = new PortClient((request) => socket.send(JSON.stringify(request)))
      socket.addEventListener('open', () => {
        this.#failures = 0
        this.#outOfContact = false
        this.#tell({ state: 'open' })
        resolve(client)
      })
      socket.addEventListener('message', ({ data }) => client.receive(JSON.parse(String(data))))
      socket.addEventListener('close', ({ code }) => {
        this.#client = undefined
        client.close(ENDED)
        // Those who wait hear that it failed.
        resolve(client)
        if (code === OUT_OF_CONTACT) this.#outOfContact = true
        if (code === SESSION_ENDED) noticeSignedOut()
        else if (code === CONNECT_AGAIN) this.#connectAgain()
        else this.#tryLater()
      })
    })
    return this.#client
  }

  #connectAgain(): void {
    void this.#connect()
    noticeAccessChanged()
  }

  #tryLater(): void {
    const pause = PAUSES[Math.min(this.#failures, PAUSES.length - 1)] ?? 0
    this.#failures += 1
    const why = this.#outOfContact ? ({ outOfContact: true } as const) : {}
    this.#tell({ state: 'lost', nextTryAt: Date.now() + pause, ...why })
    this.#retry = setTimeout(() => void this.#connect(), pause)
  }

  #tell(state: LiveState): void {
    this.#state = state
    for (const follower of this.#followers) follower(state)
  }
}
