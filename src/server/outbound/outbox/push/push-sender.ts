import { createECDH } from 'node:crypto'
import { encrypt } from 'http_ece'
import { isEventType } from '../../../../shared/events/event-type.ts'
import { noticeKindOf } from '../../../../shared/events/notice.ts'
import { pushMessage } from '../message/push.ts'
import type { AttemptResult } from '../retry.ts'
import type { DeliveryRecord, PushSubscriptionRecord } from '../store.ts'
import { post } from '../webhook-sender.ts'
import { authorizationFor, isPushService } from './push-key.ts'

/** Statuses that no other attempt changes, and those after which there is no subscription (RFC 8030, section 7.3). */
const FINAL = [400, 404, 410, 413]
const EXPIRED = [404, 410]

export interface PushSending {
  readonly userAgent: string
  /** Hosts of push services beside those of browsers, which may have private addresses. */
  readonly hosts: readonly string[]
  readonly clock: () => number
  /** The key of the server: see `drawPushKey`. */
  readonly key: string
  /** How push services reach who runs the server: an https or mailto address. */
  readonly contact: string
}

/** Sends a push notification once, encrypted for the browser (RFC 8030, RFC 8291). Never rejects. */
export async function sendPush(
  subscription: PushSubscriptionRecord,
  delivery: DeliveryRecord,
  { userAgent, hosts, clock, key, contact }: PushSending,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const now = clock()
  const at = new Date(now).toISOString()
  const url = new URL(subscription.endpoint)
  if (!isPushService(url, hosts)) return refused(at)
  const started = performance.now()
  const seconds = Math.max(0, Math.floor((Date.parse(delivery.giveUpAt) - now) / 1_000))
  const { status, failure, response, retryAfter } = await post({
    url: subscription.endpoint,
    headers: {
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      'user-agent': userAgent,
      authorization: authorizationFor(url, key, contact, now),
      ttl: String(seconds),
      urgency: isUrgent(delivery) ? 'high' : 'normal',
    },
    body: encryptFor(subscription, JSON.stringify(pushMessage(delivery))),
    ...{ privateHosts: hosts, signal },
  })
  const milliseconds = Math.round(performance.now() - started)
  return {
    attempt: { at, milliseconds, status, failure, response },
    delivered: status !== null && status >= 200 && status < 300,
    gone: status !== null && FINAL.includes(status),
    expired: status !== null && EXPIRED.includes(status),
    retryAfter,
  }
}

/** Returns a message as only that browser can read it. */
export function encryptFor(
  { p256dh, auth }: Pick<PushSubscriptionRecord, 'p256dh' | 'auth'>,
  message: string,
): Buffer {
  const privateKey = createECDH('prime256v1')
  privateKey.generateKeys()
  return encrypt(Buffer.from(message), {
    ...{ version: 'aes128gcm', dh: p256dh, privateKey, authSecret: auth },
  })
}

function isUrgent({ type }: DeliveryRecord): boolean {
  return isEventType(type) && noticeKindOf(type) === 'alarms'
}

/** The administrator allows the host no longer. */
function refused(at: string): AttemptResult {
  const failure = 'private_address' as const
  const attempt = { at, milliseconds: 0, status: null, failure, response: '' }
  return { attempt, delivered: false, gone: true, retryAfter: 0 }
}
