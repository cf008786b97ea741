import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import type { ServerConfigInput } from '../../../src/server/config.ts'
import { EventType, type WebhookInput } from '../../../src/shared/events/webhook.ts'
import { eventually } from '../eventually.ts'
import { listenLocally } from './listen.ts'

/** A request that a receiver got. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** How a receiver answers. */
export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A real HTTP server that keeps what it got. */
export interface Receiver {
  readonly url: string
  /** `127.0.0.1:<port>`, to allow it. */
  readonly host: string
  readonly received: readonly Received[]
  /** From now on. Undefined: it does not answer. */
  answer(reply: Reply | undefined): void
  /** Answers all requests that were not answered. */
  answerLate(reply: Reply): void
  /** Waits for that many requests. */
  until(count: number): Promise<readonly Received[]>
}

/** Starts a receiver on a free port; stopped after the test. */
export async function startReceiver(reply: Reply = { status: 204 }): Promise<Receiver> {
  const received: Received[] = []
  const unanswered: ServerResponse[] = []
  let next: Reply | undefined = reply
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { url: path = '', headers } = request
    received.push({ path, headers, body: Buffer.concat(chunks).toString() })
    if (next === undefined) unanswered.push(response)
    else send(response, next)
  })
  const host = await listenLocally(server)
  return {
    ...{ url: `http://${host}/hook`, host, received },
    answer: (to) => {
      next = to
    },
    answerLate: (to) => {
      for (const response of unanswered.splice(0)) send(response, to)
    },
    until: (count) =>
      eventually(() => {
        if (received.length < count) throw new Error(`${received.length} of ${count} requests`)
        return received
      }),
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  response.writeHead(status, headers).end(body)
}

/** What an administrator fills in: all events of all apps, unless told otherwise. */
export function webhookInput(members: Partial<WebhookInput> = {}): WebhookInput {
  return {
    name: 'Chat',
    url: 'https://hooks.example.com/one',
    format: 'standard',
    events: [...EventType.options],
    app: null,
    ...members,
  }
}

/** Returns the event, as a receiver verifies it. Throws for a wrong signature. */
export function verified(secret: string, { headers, body }: Received): unknown {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = headers
  return new Webhook(secret).verify(body, {
    'webhook-id': String(id),
    'webhook-timestamp': String(time),
    'webhook-signature': String(signature),
  })
}

/** The configuration of a server that may send to a receiver of this computer. */
export function allow(host: string): Partial<ServerConfigInput> {
  return { webhooks: { privateHosts: [host] } }
}
