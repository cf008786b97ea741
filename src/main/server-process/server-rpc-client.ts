import type {
  CallError,
  CallRequest,
  CallResult,
  SubscribeRequest,
  SubscriptionEvent,
} from '../../shared/console/bridge.ts'
import type { HostMessage, HostRequest } from '../../shared/console/host.ts'

type Listener = (event: SubscriptionEvent) => void

/** The calls and subscriptions that one server process has to answer. */
export class ServerRpcClient {
  readonly #post: (request: HostRequest) => void
  readonly #calls = new Map<number, (result: CallResult) => void>()
  readonly #subscriptions = new Map<number, Listener>()
  #lastId = 0

  constructor(post: (request: HostRequest) => void) {
    this.#post = post
  }

  call(request: CallRequest): Promise<CallResult> {
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#calls.set(id, resolve)
      this.#post({ type: 'call', id, request })
    })
  }

  /** Returns what ends it; the listener then hears nothing more. */
  subscribe(request: SubscribeRequest, listener: Listener): () => void {
    const id = ++this.#lastId
    this.#subscriptions.set(id, listener)
    this.#post({ type: 'subscribe', id, request })
    return () => {
      if (this.#subscriptions.delete(id)) this.#post({ type: 'unsubscribe', id })
    }
  }

  receive(message: Extract<HostMessage, { type: 'result' | 'event' }>): void {
    const { id } = message
    if (message.type === 'result') {
      this.#calls.get(id)?.(message.result)
      this.#calls.delete(id)
      return
    }
    const listener = this.#subscriptions.get(id)
    if (message.event.type !== 'data') this.#subscriptions.delete(id)
    listener?.(message.event)
  }

  /** Answers everything that is open with `error`: the process has ended. */
  close(error: CallError): void {
    const calls = [...this.#calls.values()]
    const listeners = [...this.#subscriptions.values()]
    this.#calls.clear()
    this.#subscriptions.clear()
    for (const answer of calls) answer({ ok: false, error })
    for (const listener of listeners) listener({ type: 'error', error })
  }
}
