import { createECDH } from 'node:crypto'
import { encrypt } from 'http_ece'
import { isEventType } from '../../../../shared/events/event-type.ts'
import { BUNDLE, NOTICE_KIND_OF, TEST_PUSH } from '../../../../shared/events/notice.ts'
import type { PushMessage } from '../../../../shared/events/push-message.ts'
import { eventMessage, headline } from '../../../../shared/wording/event.ts'
import { text } from '../../../../shared/wording/mail.ts'
import type { Bundle } from '../notices/bundle.ts'
import type { AttemptResult } from '../retry.ts'
import type { DeliveryRecord, OutboxEvent, PushSubscriptionRecord } from '../store.ts'
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
  return isEventType(type) && NOTICE_KIND_OF[type] === 'alarms'
}

/** The administrator allows the host no longer. */
function refused(at: string): AttemptResult {
  const failure = 'private_address' as const
  const attempt = { at, milliseconds: 0, status: null, failure, response: '' }
  return { attempt, delivered: false, gone: true, retryAfter: 0 }
}

/** Characters of each part: push services take 4,096 bytes, encrypted (RFC 8030, section 7.2). */
const MAX_TITLE = 150
const MAX_BODY = 400

const APPROVALS = '/approvals'

/** Returns what a browser shows of a delivery. */
export function pushMessage({
  id,
  type,
  payload,
}: Pick<DeliveryRecord, 'id' | 'type' | 'payload'>): PushMessage {
  if (type === TEST_PUSH) return bounded({ ...text.push.test, path: '/', tag: id, isUrgent: false })
  if (type === BUNDLE) return bundleMessage(id, JSON.parse(payload))
  const event: OutboxEvent = JSON.parse(payload)
  const { title, place, by, comment } = eventMessage(event)
  const about = [place, by].filter((part) => part !== '').join(' · ')
  return bounded({
    title,
    body: [comment, about].filter((part) => part !== '').join('\n'),
    path: pathOf(event),
    tag: id,
    isUrgent: isEventType(type) && NOTICE_KIND_OF[type] === 'alarms',
  })
}

function bundleMessage(tag: string, { events, more }: Bundle): PushMessage {
  const [first, ...others] = events
  if (first !== undefined && others.length + more === 0) {
    return pushMessage({ id: tag, type: first.type, payload: JSON.stringify(first) })
  }
  const titles = events.map((event) => headline(eventMessage(event)))
  return bounded({
    title: text.push.held(events.length + more),
    body: titles.join('\n'),
    path: '/',
    tag,
    isUrgent: false,
  })
}

/** The screen of the console that an event is about. */
function pathOf({ type, data }: OutboxEvent): string {
  if (type.startsWith('change_request.')) return APPROVALS
  const { app, channel, version } = data
  if (![app, channel, version].every((part) => typeof part === 'string' && part !== '')) return '/'
  return `/releases/${[app, channel, version].map((part) => encodeURIComponent(String(part))).join('/')}`
}

function bounded({ title, body, ...rest }: PushMessage): PushMessage {
  return { title: title.slice(0, MAX_TITLE), body: body.slice(0, MAX_BODY), ...rest }
}
