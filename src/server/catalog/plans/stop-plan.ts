import type { ReleaseHealth } from '../../../shared/health/health.ts'
import type { StopReason } from '../../../shared/health/judgement.ts'
import type { FailureAction } from '../../../shared/plans/plan.ts'
import { heldOffers, percentageBefore } from '../../rules/plans/step-serving.ts'
import { audit, SERVER } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import type { ReleaseRecord } from '../records.ts'
import { changeServingIn } from '../releases/serving.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { TransactOptions } from '../store.ts'
import { OFFERS_HELD, OFFERS_RESUMED } from './advance-plan.ts'
import { endPlanAs } from './interrupt-plan.ts'
import { changedPlan, type PlanOfRelease, type PlanRecord } from './plan-record.ts'

export interface JudgedPlan {
  readonly channel: CatalogChannel
  readonly release: ReleaseRecord
  readonly plan: PlanOfRelease
}

export interface PlanStop {
  readonly reasons: readonly StopReason[]
  /** What became of the devices that count. */
  readonly health: ReleaseHealth
  /** `pause` also where the plan wants a rollback that the evidence is not good enough for. */
  readonly action: FailureAction
}

/**
 * Stops a plan because of the failures of its release, and pauses the release or rolls it back. Both
 * change in one transaction, with the audit entries that become events, and only if plan and release are as they were
 * judged: whatever a person did in between stands. Returns whether it was stopped. Throws what changing the serving
 * state throws.
 */
export async function stopPlan(
  catalog: Catalog,
  { channel, release: seen, plan }: JudgedPlan,
  { reasons, health, action }: PlanStop,
  options: TransactOptions = {},
): Promise<boolean> {
  return await catalog.change(async (tx, at) => {
    const release = await tx.release(channel.record.key, seen.version)
    const record = await tx.plan(seen.id)
    if (record?.status !== 'running' || record.revision !== plan.revision) return false
    if (release?.id !== seen.id || release.revision !== seen.revision) return false
    const subject = { app: channel.app.ref, channel: channel.record.name, version: seen.version }
    const status = action === 'rollback' ? 'rolled_back' : 'paused'
    const task = { actor: SERVER, channel, version: seen.version, change: { status } } as const
    await changeServingIn(tx, at, task, { cause: 'plan' })
    const stopped = { ...record, stopReasons: reasons }
    const details = { action, reasons, health }
    await endPlanAs(tx, { at, actor: SERVER, subject }, stopped, 'stopped', 'failures', details)
    return true
  }, options)
}

/**
 * Stores that the release of a running plan seems to fail, and how many of its step's devices are offered it meanwhile, unless
 * that is stored or the plan has changed since it was seen. A plan that is suspected has another revision, so that nobody who
 * saw it before applies a step of it.
 */
export async function suspectPlan(
  catalog: Catalog,
  { channel, release, plan: seen }: JudgedPlan,
  options: TransactOptions = {},
): Promise<void> {
  const before = suspected(seen, release.rolloutPct, catalog.now())
  if (seen.suspectedSince !== null && before.openPct === seen.openPct) return
  await catalog.change(async (tx) => {
    const record = await tx.plan(seen.releaseId)
    if (record?.status !== 'running' || record.revision !== seen.revision) return
    const now = catalog.now()
    const after = suspected(record, release.rolloutPct, now)
    await tx.putPlan(changedPlan(record, { ...after, readings: record.readings }))
    // How many devices wait less from hour to hour follows from when it began.
    if ((after.openPct === null) === (record.openPct === null)) return
    const subject = { app: channel.app.ref, channel: channel.record.name, version: release.version }
    const [was, is] = [record, after].map(({ openPct }) => ({ openPct }))
    const action = after.openPct === null ? OFFERS_RESUMED : OFFERS_HELD
    const at = new Date(now).toISOString()
    await audit(tx, at, SERVER, action, subject, was, is)
  }, options)
}

function suspected(
  record: PlanRecord,
  rolloutPct: number,
  now: number,
): Pick<PlanRecord, 'suspectedSince' | 'openPct'> {
  const suspectedSince = record.suspectedSince ?? new Date(now).toISOString()
  const reached = percentageBefore(record.plan, record.step)
  return {
    suspectedSince,
    openPct: heldOffers(reached, rolloutPct, Date.parse(suspectedSince), now),
  }
}
