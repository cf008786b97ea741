import { isEventType, isServerEvent } from '../../../../shared/events/event-type.ts'
import { BUNDLE } from '../../../../shared/events/notice.ts'
import type { CollectedEvent } from '../event.ts'
import type { DeliveryRecord, OutboxEvent, Recipient } from '../store.ts'

/** Events that a bundle holds, and bytes of them as JSON; further ones are counted. */
const MOST_EVENTS = 50
const MOST_BYTES = 128 * 1_024

/** Events that were held for a person, as the payload of their delivery. */
export interface Bundle {
  readonly events: readonly OutboxEvent[]
  /** Events that it has no room for. */
  readonly more: number
}

/** Returns the payload of a bundle with one more event. `payload`: undefined for a new bundle. */
export function addToBundle(payload: string | undefined, event: CollectedEvent): string {
  const { events, more }: Bundle = payload === undefined ? EMPTY : JSON.parse(payload)
  const next = JSON.stringify({ events: [...events, event], more })
  const isFull = events.length >= MOST_EVENTS || Buffer.byteLength(next) > MOST_BYTES
  return isFull && payload !== undefined ? JSON.stringify({ events, more: more + 1 }) : next
}

const EMPTY: Bundle = { events: [], more: 0 }

/** Returns what the recipient can still see of a delivery; null for nothing. `recipient`: undefined if disabled. */
export function stillFor(
  { type, payload }: Pick<DeliveryRecord, 'type' | 'payload'>,
  recipient: Recipient | undefined,
): string | null {
  if (recipient === undefined) return null
  if (type !== BUNDLE) return sees(recipient, JSON.parse(payload)) ? payload : null
  const bundle: Bundle = JSON.parse(payload)
  const events = bundle.events.filter((event) => sees(recipient, event))
  return events.length === 0 ? null : JSON.stringify({ ...bundle, events })
}

function sees({ serverRole, apps }: Recipient, { type, data }: Partial<OutboxEvent>): boolean {
  // Not about anything on this server.
  if (type === undefined || !isEventType(type)) return true
  if (isServerEvent(type)) return serverRole === 'administrator'
  const app = data?.app
  return serverRole !== null || (typeof app === 'string' && apps.includes(app))
}
