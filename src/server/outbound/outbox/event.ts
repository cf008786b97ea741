import { type EventType, isEventType } from '../../../shared/events/event-type.ts'
import type { AuditRecord } from '../../catalog/audit-log.ts'
import type { OutboxEvent } from './store.ts'

/** Bytes of JSON beyond which an event leaves out the states before and after. */
const MAX_BYTES = 32 * 1_024

/** An event that an entry of the audit log stands for. */
export interface CollectedEvent extends OutboxEvent {
  readonly type: EventType
}

/** Returns the event that an entry of the audit log stands for; null for every other entry. */
export function eventOf(entry: AuditRecord): CollectedEvent | null {
  const type = typeOf(entry)
  if (type === null) return null
  const { at, actor, app, channel, version, before, after } = entry
  const { kind, name, keyPrefix } = actor
  const who = { kind, name, ...(keyPrefix === undefined ? {} : { keyPrefix }) }
  const about = { app, channel, version, actor: who }
  const event = { type, timestamp: at, data: { ...about, before, after } }
  if (Buffer.byteLength(JSON.stringify(event)) <= MAX_BYTES) return event
  return { ...event, data: { ...about, before: null, after: null, truncated: true } }
}

function typeOf({ action, before, after }: AuditRecord): EventType | null {
  if (action === 'release.serving_changed') {
    return SERVING_TYPES.get(member(after, 'status')) ?? 'release.rollout_changed'
  }
  // A backup that fails is an alarm with a name of its own.
  if (action === 'health.alarm_raised' && alarmOf(after) === 'backup_failed') return 'backup.failed'
  if (action === 'health.alarm_cleared' && alarmOf(before) === null) return null
  // What becomes of a plan belongs to its release in the log, and is an event of its own.
  const type = action.replace(/^release\.plan_/, 'plan.')
  return isEventType(type) ? type : null
}

/** A change of several parts is named by the one that matters most to devices. */
const SERVING_TYPES = new Map<unknown, EventType>([
  ['rolled_back', 'release.rolled_back'],
  ['paused', 'release.paused'],
  ['published', 'release.resumed'],
])

function alarmOf(state: unknown): string | null {
  const alarm = member(state, 'alarm')
  return typeof alarm === 'string' ? alarm : null
}

/** Returns what a state of the audit log has under that name. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
