import type { PlanReason } from '../../../shared/plans/plan-state.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import type { ReleaseStatus } from '../../../shared/releases/release.ts'
import { type Actor, audit, type Subject } from '../audit-log.ts'
import type { CatalogWrites } from '../store.ts'
import { changedPlan, type PlanRecord } from './plan-record.ts'

export interface Interruption {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly actor: Actor
  readonly subject: Subject
}

/** Suspends the running plan of a release that was changed by hand, inside the transaction. A rollback ends it. `status`: now. */
export async function interruptPlan(
  tx: CatalogWrites,
  interruption: Interruption,
  releaseId: string,
  status: ReleaseStatus,
): Promise<void> {
  const plan = await tx.plan(releaseId)
  if (plan === undefined) return
  if (status === 'rolled_back') {
    const isOpen = plan.status === 'running' || plan.status === 'suspended'
    if (isOpen) await endPlanAs(tx, interruption, plan, 'stopped', 'rolled_back')
  } else if (plan.status === 'running') {
    await endPlanAs(tx, interruption, plan, 'suspended', 'changed')
  }
}

/** Suspends or stops a plan and records that, as a part of a transaction. `details`: what the audit log adds. */
export async function endPlanAs(
  tx: CatalogWrites,
  { at, actor, subject }: Interruption,
  plan: PlanRecord,
  status: 'suspended' | 'stopped',
  reason: PlanReason,
  details: Readonly<Record<string, unknown>> = {},
): Promise<PlanRecord> {
  const after = changedPlan(plan, { status, reason, since: at })
  await tx.putPlan(after)
  const [was, is] = [standing(plan), { ...standing(after), ...details }]
  await audit(tx, at, actor, `release.plan_${status}`, subject, was, is)
  return after
}

/** Returns where a plan stands, as the audit log has it. */
export function standing({ status, reason, step, plan }: PlanRecord) {
  const of = allSteps(plan).length
  return { status, ...(reason === null ? {} : { reason }), step, of }
}
