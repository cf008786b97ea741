import type { Alarm } from '../../shared/events/webhook.ts'
import { alarmsJob } from '../outbound/outbox/alarms.ts'
import { Dispatcher } from '../outbound/outbox/dispatcher.ts'
import { sendMail } from '../outbound/outbox/mail-sender.ts'
import { invitationDelivery, mailOf } from '../outbound/outbox/message/mail.ts'
import { Notifications } from '../outbound/outbox/notifications.ts'
import { sendPush } from '../outbound/outbox/push/push-sender.ts'
import { sendToWebhook } from '../outbound/outbox/webhook-sender.ts'
import { Webhooks } from '../outbound/outbox/webhooks.ts'
import { whileLeading } from '../runtime/cluster/leadership.ts'
import { VERSION } from '../runtime/version.ts'
import type { PeopleParts } from '../use-cases/manage/manage-people.ts'
import type { Wiring } from './running-server.ts'

interface Parts extends Pick<Wiring, 'config' | 'storage' | 'closing' | 'clock' | 'failed'> {
  readonly newId: () => string
  /** Returns what is wrong with the server now. */
  readonly alarmsOf: () => readonly Alarm[]
}

/** Where nobody can be reached: only some push services accept it. */
const UNKNOWN_CONTACT = 'https://localhost'

/** The outbox of a server: its webhooks, how people are notified, and how sending begins. */
export interface OutboxPart {
  readonly webhooks: Webhooks
  readonly notifications: Notifications
  readonly invitationMail: PeopleParts['invitationMail']
  /** Sends what the outbox holds while this server leads. Call it when the server listens. `console`: its address; null for none. */
  startSending(console: string | null): void
}

/** Opens the outbox; nothing is sent yet. */
export function openOutbox({
  config,
  storage,
  closing,
  clock,
  newId,
  alarmsOf,
  failed,
}: Parts): OutboxPart {
  let page: string | null = null
  const { privateHosts } = config.webhooks
  const sending = { userAgent: `Tidegate/${VERSION}`, privateHosts, clock }
  const current = { store: storage.outbox, clock, current: alarmsOf }
  const alarms = alarmsJob(current, failed('could not record alarms'))
  const { mail, push } = config
  /** An address that push services can reach somebody at, as some of them require. */
  const contact = () => {
    if (page?.startsWith('https:')) return new URL(page).origin
    return mail === undefined ? UNKNOWN_CONTACT : `mailto:${mail.from}`
  }
  const notifications = new Notifications({
    ...{ store: storage.outbox, clock, newId, isMailing: mail !== undefined },
    pushHosts: push.isOffered ? push.hosts : null,
    wake: () => dispatcher.wake(),
  })
  const dispatcher: Dispatcher = new Dispatcher({
    store: storage.outbox,
    clock,
    sendToWebhook: (webhook, delivery, signal) => sendToWebhook(webhook, delivery, sending, signal),
    sendMail:
      mail &&
      ((delivery, signal) => {
        const to = delivery.to.kind === 'mail' ? delivery.to.address : ''
        const written = mailOf(delivery, to, page)
        return sendMail({ ...written, id: delivery.id }, mail, clock, signal)
      }),
    sendPush: push.isOffered
      ? async (subscription, delivery, signal) => {
          const by = { userAgent: sending.userAgent, key: await notifications.key() }
          const service = { ...by, hosts: push.hosts, clock, contact: contact() }
          return await sendPush(subscription, delivery, service, signal)
        }
      : undefined,
    onFailure: failed('could not send webhooks'),
  })
  const webhooks = new Webhooks({
    ...{ store: storage.outbox, privateHosts, clock, newId },
    wake: () => dispatcher.wake(),
  })
  const invitationMail: PeopleParts['invitationMail'] = (address) => {
    if (page === null || mail === undefined) return null
    return ({ name, token, expiresAt }) =>
      invitationDelivery({
        ...{ id: newId(), address, now: clock() },
        invitation: { name, link: `${page}#/link/${token}`, expiresAt },
      })
  }
  const startSending = (console: string | null) => {
    page = console
    closing.add(whileLeading(storage.leadership('outbox'), [dispatcher, alarms]))
  }
  return { webhooks, notifications, invitationMail, startSending }
}
