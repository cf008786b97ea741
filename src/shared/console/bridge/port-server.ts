import { z } from 'zod'
import {
  type CallError,
  CallRequest,
  type CallResult,
  SubscribeRequest,
  type SubscriptionEvent,
} from './bridge.ts'
import type { PortAnswer, ProcessPort } from './port.ts'
import { answerCall, follow, type Procedures } from './procedures.ts'

const MALFORMED: CallError = { code: 'invalid', reason: 'malformed_request' }
const TOO_MANY: CallError = { code: 'invalid', reason: 'too_many_subscriptions' }
const STOPPED: CallError = { code: 'unavailable', reason: 'server_not_running' }

/** Most subscriptions over one port; a page has a few. */
const MAX_SUBSCRIPTIONS = 100

/** A request is looked at on its own, so that one which is malformed gets an answer. */
const Message = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('call'), id: z.int(), request: z.unknown() }),
  z.strictObject({ type: z.literal('subscribe'), id: z.int(), request: z.unknown() }),
  z.strictObject({ type: z.literal('unsubscribe'), id: z.int() }),
])

/** Answers the requests over a port until it closes. Its subscriptions end with it. */
export class PortServer {
  readonly #port: ProcessPort
  readonly #procedures: Procedures
  readonly #subscriptions = new Map<number, AbortController>()
  #isStopped = false

  /** `onClose` is called when the other end has gone, or was closed. */
  constructor(port: ProcessPort, procedures: Procedures, onClose = () => {}) {
    this.#port = port
    this.#procedures = procedures
    port.on('message', ({ data }) => this.#receive(data))
    port.on('close', () => {
      this.stop()
      onClose()
    })
    port.start()
  }

  /** Ends subscriptions without an event, and answers further requests with `unavailable`. */
  stop(): void {
    this.#isStopped = true
    for (const controller of this.#subscriptions.values()) controller.abort()
  }

  #receive(data: unknown): void {
    const message = Message.safeParse(data)
    if (!message.success) return
    const { type, id } = message.data
    if (type === 'call') void this.#call(id, message.data.request)
    else if (type === 'subscribe') void this.#subscribe(id, message.data.request)
    else this.#subscriptions.get(id)?.abort()
  }

  async #call(id: number, message: unknown): Promise<void> {
    const request = CallRequest.safeParse(message)
    this.#post({ type: 'result', id, result: await this.#answer(request) })
  }

  async #answer(request: z.ZodSafeParseResult<CallRequest>): Promise<CallResult> {
    if (this.#isStopped) return { ok: false, error: STOPPED }
    if (!request.success) return { ok: false, error: MALFORMED }
    return answerCall(this.#procedures, request.data)
  }

  async #subscribe(id: number, message: unknown): Promise<void> {
    const emit = (event: SubscriptionEvent) => this.#post({ type: 'event', id, event })
    const request = SubscribeRequest.safeParse(message)
    if (this.#isStopped) emit({ type: 'error', error: STOPPED })
    else if (!request.success) emit({ type: 'error', error: MALFORMED })
    else if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS) emit({ type: 'error', error: TOO_MANY })
    else {
      const controller = new AbortController()
      this.#subscriptions.set(id, controller)
      await follow(this.#procedures, request.data, controller.signal, emit)
      this.#subscriptions.delete(id)
    }
  }

  #post(answer: PortAnswer): void {
    this.#port.postMessage(answer)
  }
}
