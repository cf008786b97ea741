import { messageBody } from './message/message.ts'
import { type PostResult, post } from './post.ts'
import type { AttemptResult } from './retry.ts'
import { signatures } from './signature.ts'
import type { DeliveryRecord, OutboxEvent, WebhookRecord } from './store.ts'

export interface WebhookSending {
  readonly userAgent: string
  readonly privateHosts: readonly string[]
  readonly clock: () => number
  readonly timeout?: number | undefined
}

/** Sends a delivery to its webhook once, signed as Standard Webhooks describes. Never rejects. */
export async function sendToWebhook(
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
  { userAgent, privateHosts, clock, timeout }: WebhookSending,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const now = clock()
  const body = bodyOf(webhook, delivery)
  const timestamp = Math.floor(now / 1_000)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': userAgent,
    'webhook-id': delivery.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures(
      { id: delivery.id, timestamp, body },
      validSecrets(webhook, now),
    ),
  }
  const started = performance.now()
  const result = await post({ url: webhook.url, headers, body, privateHosts, signal, timeout })
  const { status, failure, response, retryAfter } = result
  const milliseconds = Math.round(performance.now() - started)
  const at = new Date(now).toISOString()
  return {
    attempt: { at, milliseconds, status, failure, response },
    delivered: isSuccess(result),
    gone: status === 410,
    retryAfter,
  }
}

function bodyOf({ format }: WebhookRecord, { payload }: DeliveryRecord): string {
  if (format === 'standard') return payload
  const event: OutboxEvent = JSON.parse(payload)
  return JSON.stringify(messageBody(format, event))
}

function validSecrets({ secret, previous }: WebhookRecord, now: number): string[] {
  const isValid = previous !== null && now < Date.parse(previous.until)
  return isValid ? [secret, previous.secret] : [secret]
}

function isSuccess({ status }: PostResult): boolean {
  return status !== null && status >= 200 && status < 300
}
