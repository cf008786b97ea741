import type {
  CallError,
  CallRequest,
  CallResult,
  SubscribeRequest,
  SubscriptionEvent,
} from './bridge.ts'
import type { PortAnswer, PortRequest } from './port.ts'

type Listener = (event: SubscriptionEvent) => void

/** The calls and subscriptions that wait for the other end of one port. */
export class PortClient {
  readonly #post: (request: PortRequest) => void
  readonly #calls = new Map<number, (result: CallResult) => void>()
  readonly #subscriptions = new Map<number, Listener>()
  #lastId = 0
  #closedWith: CallError | undefined

  constructor(post: (request: PortRequest) => void) {
    this.#post = post
  }

  /** Rejects for a request that cannot be cloned. */
  async call(request: CallRequest): Promise<CallResult> {
    if (this.#closedWith !== undefined) return { ok: false, error: this.#closedWith }
    const id = ++this.#lastId
    this.#post({ type: 'call', id, request })
    return new Promise((resolve) => this.#calls.set(id, resolve))
  }

  /** Returns what ends it; the listener then hears nothing more. Throws for a request that cannot be cloned. */
  subscribe(request: SubscribeRequest, listener: Listener): () => void {
    if (this.#closedWith !== undefined) {
      listener({ type: 'error', error: this.#closedWith })
      return () => {}
    }
    const id = ++this.#lastId
    this.#post({ type: 'subscribe', id, request })
    this.#subscriptions.set(id, listener)
    return () => {
      if (this.#subscriptions.delete(id)) this.#post({ type: 'unsubscribe', id })
    }
  }

  /** Handles a message of the other end. */
  receive(answer: PortAnswer): void {
    const { id } = answer
    if (answer.type === 'result') {
      this.#calls.get(id)?.(answer.result)
      this.#calls.delete(id)
      return
    }
    const listener = this.#subscriptions.get(id)
    if (answer.event.type !== 'data') this.#subscriptions.delete(id)
    listener?.(answer.event)
  }

  /** Answers all pending and future requests with `error`. */
  close(error: CallError): void {
    this.#closedWith = error
    const calls = [...this.#calls.values()]
    const listeners = [...this.#subscriptions.values()]
    this.#calls.clear()
    this.#subscriptions.clear()
    for (const answer of calls) answer({ ok: false, error })
    for (const listener of listeners) listener({ type: 'error', error })
  }
}
