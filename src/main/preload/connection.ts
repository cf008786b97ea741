import type {
  Bridge,
  CallError,
  CallRequest,
  CallResult,
  SubscribeRequest,
  SubscriptionEvent,
} from '../../shared/console/bridge/bridge.ts'
import type { PortOffer } from '../../shared/console/bridge/port.ts'
import { PortClient } from '../../shared/console/bridge/port-client.ts'

/** A port, or why there is none. */
export type Offered = MessagePort | PortOffer['outcome']

const REFUSED: CallError = { code: 'internal', reason: 'not_passed_on' }
const UNAVAILABLE: CallError = { code: 'unavailable', reason: 'server_not_running' }
const ENDED: CallError = { code: 'unavailable', reason: 'server_ended' }

/**
 * The page's way to a process that answers. Asks for a port when it has none: at the first request, and at
 * the next one after its port was closed.
 */
export class Connection implements Bridge {
  readonly #askForPort: () => Promise<Offered>
  #client: Promise<PortClient> | undefined

  constructor(askForPort: () => Promise<Offered>) {
    this.#askForPort = askForPort
  }

  /** Runs a query or a mutation. Never rejects. */
  async call(request: CallRequest): Promise<CallResult> {
    const client = await this.#connect()
    // Rejects only if the input cannot be cloned.
    return client.call(request).catch(() => ({ ok: false, error: REFUSED }))
  }

  /** Follows a subscription until the returned function is called. */
  subscribe(request: SubscribeRequest, listener: (event: SubscriptionEvent) => void): () => void {
    let end: (() => void) | undefined
    let ended = false
    this.#connect()
      .then((client) => {
        if (!ended) end = client.subscribe(request, listener)
      })
      .catch(() => listener({ type: 'error', error: REFUSED }))
    return () => {
      ended = true
      end?.()
    }
  }

  #connect(): Promise<PortClient> {
    this.#client ??= this.#askForPort().then((offered) =>
      typeof offered === 'string' ? this.#withoutPort(offered) : this.#over(offered),
    )
    return this.#client
  }

  #over(port: MessagePort): PortClient {
    const client = new PortClient((request) => port.postMessage(request))
    port.addEventListener('message', ({ data }) => client.receive(data))
    port.addEventListener('close', () => this.#end(client, ENDED))
    port.start()
    return client
  }

  #withoutPort(outcome: PortOffer['outcome']): PortClient {
    const client = new PortClient(() => {})
    this.#end(client, outcome === 'unavailable' ? UNAVAILABLE : REFUSED)
    return client
  }

  #end(client: PortClient, error: CallError): void {
    this.#client = undefined
    client.close(error)
  }
}
