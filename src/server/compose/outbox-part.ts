import type { Alarm } from '../../shared/events/webhook.ts'
import { Alarms } from '../outbound/outbox/alarms.ts'
import { Dispatcher } from '../outbound/outbox/dispatcher.ts'
import { sendMail } from '../outbound/outbox/mail-sender.ts'
import { invitationDelivery, mailOf } from '../outbound/outbox/message/mail.ts'
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

/** The outbox of a server: its webhooks, and how sending begins. */
export interface OutboxPart {
  readonly webhooks: Webhooks
  readonly invitationMail: PeopleParts['invitationMail']
  /**
   * Sends what the outbox holds, for as long as this server leads. Call it when the server listens. `console`: the address
   * of the console; null if it is offered to nobody.
   */
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
  const alarms = new Alarms({
    ...{ store: storage.outbox, clock, current: alarmsOf },
    onFailure: failed('could not record alarms'),
  })
  const { mail } = config
  const dispatcher = new Dispatcher({
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
  return { webhooks, invitationMail, startSending }
}
