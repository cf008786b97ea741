import { uuidv7 } from 'uuidv7'
import { isServerEvent } from '../../../shared/events/event-type.ts'
import { NOTICE_KIND_OF } from '../../../shared/events/notice.ts'
import type { AuditRecord } from '../../catalog/audit-log.ts'
import { type CollectedEvent, member } from './event.ts'
import { GIVE_UP } from './retry.ts'
import type { DeliveryRecord } from './store.ts'

/** Most deliveries that wait for one webhook, and mails; events beyond that are counted and dropped. */
export const MAX_PENDING = 1_000

/** Most push notifications that wait for one browser and for all, and that one browser gets in an hour; more are dropped. */
export const PUSH_LIMITS = { pending: 20, pendingOfAll: 1_000, hourly: 60 } as const

/** A webhook that is enabled, as its events are chosen. */
export interface Subscriber {
  readonly id: string
  /** The types of event as JSON. */
  readonly events: string
  /** The entry of the audit log after which it gets events. */
  readonly since: number
  /** The ref of its app, if it is of one that exists. */
  readonly app: string | null
  readonly isOfApp: 0 | 1
  /** Deliveries that wait for it. */
  pending: number
}

/** Who is notified. */
export type Recipients =
  /** Those who may decide on a change of the app, without the one who proposed it. */
  | { readonly kind: 'deciders'; readonly app: string | null; readonly except: string }
  /** Those who can see the app and have chosen something, without the one who acted. */
  | { readonly kind: 'readers'; readonly app: string | null; readonly except: string }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'administrators' | 'nobody' }

/** Returns who is notified about an event: those who can act on it, whoever waits for a decision, and who follows releases. */
export function recipientsOf(
  { type }: CollectedEvent,
  { app, actor, after }: AuditRecord,
): Recipients {
  const deciders = { kind: 'deciders', app, except: actor.name } as const
  if (type === 'change_request.proposed') return deciders
  if (/^change_request\.(applied|declined|expired)$/.test(type)) {
    return { kind: 'named', name: String(member(after, 'proposedBy') ?? '') }
  }
  if (type.startsWith('artifact.') || isServerEvent(type)) return { kind: 'administrators' }
  if (type === 'plan.stopped') {
    // Whoever rolled the release back knows.
    return member(after, 'reason') === 'failures' ? deciders : { kind: 'nobody' }
  }
  return NOTICE_KIND_OF[type] === 'releases'
    ? { kind: 'readers', app, except: actor.name }
    : { kind: 'nobody' }
}

/** Returns whether a webhook gets the event that an entry of the audit log makes. */
export function isFor(
  { events, since, app, isOfApp }: Subscriber,
  { type }: CollectedEvent,
  entry: AuditRecord,
): boolean {
  const chosen: string[] = JSON.parse(events)
  if (entry.id <= since || !chosen.includes(type)) return false
  return isOfApp === 0 || (!isServerEvent(type) && entry.app === app)
}

/** What a delivery is made of. Times are Unix milliseconds. */
interface NewDelivery extends Pick<DeliveryRecord, 'to' | 'type' | 'payload'> {
  readonly now: number
  /** When it is due; at once by default. */
  readonly due?: number
}

/** Returns a new delivery. It is given up a day after it is due: the server may have stood still since the event. */
export function newDelivery({ to, type, payload, now, due = now }: NewDelivery): DeliveryRecord {
  return {
    ...{ id: `evt_${uuidv7()}`, to, type, payload, state: 'pending', tries: 0, attempts: [] },
    createdAt: new Date(now).toISOString(),
    giveUpAt: new Date(due + GIVE_UP).toISOString(),
    nextAt: new Date(due).toISOString(),
  }
}
