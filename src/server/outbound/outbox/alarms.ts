import { Alarm } from '../../../shared/events/webhook.ts'
import { audit, SERVER } from '../../catalog/audit-log.ts'
import { ScheduledJob } from '../../runtime/async/scheduled-job.ts'
import { LEADING } from './settling.ts'
import type { OutboxStore } from './store.ts'

/** Milliseconds between two looks, and from the start to the first. */
const LOOK = 30_000

interface AlarmsParts {
  readonly store: OutboxStore
  readonly clock: () => number
  /** Returns what is wrong now. Costs nothing. */
  readonly current: () => readonly Alarm[]
}

/** Returns what looks now and then. `onFailure` hears of every look that failed. */
export function alarmsJob(parts: AlarmsParts, onFailure: (error: unknown) => void): ScheduledJob {
  return new ScheduledJob(() => lookAtAlarms(parts), { first: LOOK, every: LOOK, onFailure })
}

/**
 * Records in the audit log when an alarm begins and ends: compares what is wrong with what is raised, and stores the difference.
 * What is raised is stored: a restart raises no alarm again. Throws what the store throws.
 */
export async function lookAtAlarms({ store, clock, ...parts }: AlarmsParts): Promise<void> {
  const current = new Set(parts.current())
  const changedFrom = (raised: readonly Alarm[]) =>
    Alarm.options.filter((alarm) => current.has(alarm) !== raised.includes(alarm))
  if (changedFrom(await store.alarms()).length === 0) return
  const at = new Date(clock()).toISOString()
  await store.transact(async (tx) => {
    // Another server, which leads by now, may have stored the same.
    const changed = changedFrom(await tx.alarms())
    if (changed.length === 0) return
    await tx.setAlarms([...current])
    for (const alarm of changed) {
      const isRaised = current.has(alarm)
      const [before, after] = isRaised ? [null, { alarm }] : [{ alarm }, null]
      const action = isRaised ? 'health.alarm_raised' : 'health.alarm_cleared'
      await audit(tx, at, SERVER, action, {}, before, after)
    }
  }, LEADING)
}
