import { isEventType } from '../../../../shared/events/event-type.ts'
import { BUNDLE, noticeKindOf, TEST_PUSH } from '../../../../shared/events/notice.ts'
import type { PushMessage } from '../../../../shared/events/push-message.ts'
import { eventMessage, headline } from '../../../../shared/wording/event.ts'
import { text } from '../../../../shared/wording/mail.ts'
import type { Bundle } from '../notices/bundle.ts'
import type { DeliveryRecord, OutboxEvent } from '../store.ts'

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
    isUrgent: isEventType(type) && noticeKindOf(type) === 'alarms',
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
