import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { guardedRequest } from '../guarded-request.ts'
import { messageBody } from './message/message.ts'
import type { AttemptResult } from './retry.ts'
import type { DeliveryRecord, OutboxEvent, WebhookRecord } from './store.ts'

const PREFIX = 'whsec_'
/** Bytes of a new secret; the specification recommends 24 to 64. */
const SECRET_BYTES = 32

/** Returns a new secret as Standard Webhooks writes it: `whsec_` and base64. */
export function drawSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

interface SignedContent {
  readonly id: string
  /** Whole seconds of Unix time. */
  readonly timestamp: number
  readonly body: string
}

/** Returns `webhook-signature`: a signature for each secret, separated by spaces (Standard Webhooks, symmetric signatures). */
function signatures({ id, timestamp, body }: SignedContent, secrets: readonly string[]): string {
  const content = `${id}.${timestamp}.${body}`
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
    })
    .join(' ')
}

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
  const sent = await post({ url: webhook.url, headers, body, privateHosts, signal, timeout, now })
  return { ...sent, gone: sent.attempt.status === 410 }
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

/** Milliseconds that an attempt may take, from the lookup to the end of the response. */
const TIMEOUT = 15_000
/** Bytes of a response that are read, and characters of them that are kept. */
const MAX_READ = 4_096
const MAX_KEPT = 500

export interface PostTask {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Hosts that may have private addresses, see `isAllowedPrivate`. */
  readonly privateHosts: readonly string[]
  /** Ends the attempt; the result is then `broken_off`. */
  readonly signal: AbortSignal
  /** Milliseconds in place of 15 seconds. */
  readonly timeout?: number | undefined
  /** Unix milliseconds. */
  readonly now: number
}

/** Sends a POST request as `guardedRequest` does. Reads at most 4 KiB of the response. Never rejects. */
export async function post({
  url,
  timeout = TIMEOUT,
  now,
  ...task
}: PostTask): Promise<Omit<AttemptResult, 'gone'>> {
  const started = performance.now()
  const place = { method: 'POST', url: new URL(url) } as const
  const result = await guardedRequest({ ...task, ...place, timeout, mostBytes: MAX_READ })
  const milliseconds = Math.round(performance.now() - started)
  const made = { at: new Date(now).toISOString(), milliseconds }
  if (typeof result === 'string') {
    const attempt = { ...made, status: null, failure: result, response: '' }
    return { attempt, delivered: false, retryAfter: 0 }
  }
  const { status, body, headers } = result
  const response = shortened(new TextDecoder().decode(body))
  return {
    attempt: { ...made, status, failure: null, response },
    delivered: status >= 200 && status < 300,
    retryAfter: retryAfterOf(headers),
  }
}

/** Returns as much of a text as is kept, without control characters. */
export function shortened(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '').slice(0, MAX_KEPT)
}

/** Milliseconds that the response asks to wait, from `Retry-After` in seconds. */
function retryAfterOf(headers: IncomingHttpHeaders): number {
  const seconds = headers['retry-after']
  return seconds !== undefined && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : 0
}
