import { z } from 'zod'
import { BUNDLE } from '../../../../shared/events/notice.ts'
import { type EventMessage, eventMessage, headline } from '../../../../shared/wording/event.ts'
import { text } from '../../../../shared/wording/mail.ts'
import type { Mail } from '../mail-sender.ts'
import { GIVE_UP } from '../retry.ts'
import type { DeliveryRecord } from '../store.ts'

/** The type of a mail that invites a person, and of one that is sent for a test. */
const INVITATION = 'person.invited'
export const TEST_MAIL = 'mail.test'

/** What an invitation is made of. The link is a secret: it is deleted once the mail is sent. */
export const Invitation = z.strictObject({
  name: z.string(),
  link: z.string(),
  expiresAt: z.string(),
})
export type Invitation = z.infer<typeof Invitation>

interface NewInvitation {
  readonly id: string
  readonly address: string
  readonly invitation: Invitation
  /** Unix milliseconds. */
  readonly now: number
}

/** Returns the delivery of an invitation, due at once. */
export function invitationDelivery({
  id,
  address,
  invitation,
  now,
}: NewInvitation): DeliveryRecord {
  const at = new Date(now).toISOString()
  return {
    ...{ id: `evt_${id}`, to: { kind: 'mail', address }, type: INVITATION, state: 'pending' },
    ...{ payload: JSON.stringify(invitation), createdAt: at, nextAt: at, tries: 0, attempts: [] },
    giveUpAt: new Date(now + GIVE_UP).toISOString(),
  }
}

const Event = z.object({ type: z.string(), data: z.unknown() })
const Held = z.object({ events: z.array(Event), more: z.int() })

/** Characters of the longest subject. */
const MAX_SUBJECT = 150

/** Returns the mail of a delivery. `console`: its address; null for none. Throws a `ZodError` for a payload that is none. */
export function mailOf(
  { type, payload }: Pick<DeliveryRecord, 'type' | 'payload'>,
  to: string,
  console: string | null,
): Mail {
  if (type === TEST_MAIL) return { to, subject: text.test.subject, text: text.test.body }
  if (type === INVITATION) {
    const { name, link, expiresAt } = Invitation.parse(JSON.parse(payload))
    return {
      ...{ to, subject: text.invitation.subject },
      text: text.invitation.body(name, link, expiresAt),
    }
  }
  if (type === BUNDLE) {
    const { events, more } = Held.parse(JSON.parse(payload))
    const messages = events.map((event) => eventMessage(event))
    const [first, ...others] = messages
    const subject =
      first !== undefined && others.length + more === 0
        ? subjectOf(first)
        : `[Tidegate] ${text.held.subject(events.length + more)}`
    return { to, subject, text: text.held.body(messages, more, console) }
  }
  const event = Event.parse(JSON.parse(payload))
  const message = eventMessage({ type: event.type, data: event.data })
  return { to, subject: subjectOf(message), text: text.event.body(message, console) }
}

/** One line, whatever a name holds: a line break would begin another header. */
function subjectOf(message: EventMessage): string {
  return `[Tidegate] ${headline(message).replaceAll(/\s+/g, ' ')}`.slice(0, MAX_SUBJECT)
}
