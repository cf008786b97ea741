import { Alarm } from '../../../shared/events/webhook.ts'
import { type Actor, auditEntry } from '../../catalog/audit-log.ts'
import type { Job } from '../../runtime/cluster/leadership.ts'
import type { OutboxStore } from './store.ts'

/** Milliseconds between two looks, and from the start to the first. */
const LOOK = 30_000
const LEADING = { leading: 'outbox' } as const

export interface AlarmsParts {
  readonly store: OutboxStore
  readonly clock: () => number
  /** Returns what is wrong now. Costs nothing. */
  readonly current: () => readonly Alarm[]
  /** Hears of every look that failed. */
  readonly onFailure: (error: unknown) => void
}

/** Records in the audit log when an alarm begins and ends. What is raised is stored: a restart raises no alarm again. */
export class Alarms implements Job {
  readonly #parts: AlarmsParts
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()

  constructor(parts: AlarmsParts) {
    this.#parts = parts
  }

  start(): void {
    const look = () => {
      this.#looking = this.look().catch(this.#parts.onFailure)
    }
    this.#timer = setInterval(look, LOOK).unref()
  }

  /** Waits for a look that is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
  }

  /** Compares what is wrong with what is raised, and stores the difference. Throws what the store throws. */
  async look(): Promise<void> {
    const { store, clock } = this.#parts
    const current = new Set(this.#parts.current())
    const changedFrom = (raised: readonly Alarm[]) =>
      Alarm.options.filter((alarm) => current.has(alarm) !== raised.includes(alarm))
    if (changedFrom(await store.alarms()).length === 0) return
    const at = new Date(clock()).toISOString()
    await store.transact(async (tx) => {
      // Another server, which leads by now, may have stored the same.
      const changed = changedFrom(await tx.alarms())
      if (changed.length === 0) return
      await tx.setAlarms([...current])
      for (const alarm of changed) await tx.appendAudit(alarmEntry(at, alarm, current.has(alarm)))
    }, LEADING)
  }
}

function alarmEntry(at: string, alarm: Alarm, isRaised: boolean) {
  const actor: Actor = { kind: 'server', name: 'server' }
  const state = { alarm }
  return isRaised
    ? auditEntry(at, actor, 'health.alarm_raised', {}, null, state)
    : auditEntry(at, actor, 'health.alarm_cleared', {}, state, null)
}
