import type { ReleaseHealth } from '../../../shared/health.ts'
import type { StopReason } from '../../../shared/judgement.ts'
import type { FailureAction } from '../../../shared/plan.ts'
import type { Catalog } from '../catalog.ts'
import type { ReleaseRecord } from '../records.ts'
import { changeServingIn } from '../releases/serving.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { TransactOptions } from '../store.ts'
import { SERVER } from './advance-plan.ts'
import { endPlanAs } from './interrupt-plan.ts'
import type { PlanOfRelease } from './plan-record.ts'

/** A running plan and its release as they were judged. */
export interface JudgedPlan {
  readonly channel: CatalogChannel
  readonly release: ReleaseRecord
  readonly plan: PlanOfRelease
}

/** Why a plan is stopped, and what is done with its release. */
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
  return await catalog.change(async (tx) => {
    const release = await tx.release(channel.record.key, seen.version)
    const record = await tx.plan(seen.id)
    if (record?.status !== 'running' || record.revision !== plan.revision) return false
    if (release?.id !== seen.id || release.revision !== seen.revision) return false
    const at = catalog.timestamp()
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
