import { isDeepStrictEqual } from 'node:util'
import { uuidv7 } from 'uuidv7'
import { NO_HEALTH } from '../../../shared/health/health.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import type { AcceptedObserved } from '../../rules/judging/counted.ts'
import { firstBroader, ringsAt } from '../../rules/plans/step-serving.ts'
import {
  type Approval,
  refuseUnapproved,
  refuseUnjudged,
  requestedByOf,
} from '../approvals/approval.ts'
import { audit } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import type { ReleaseRecord } from '../records.ts'
import type { CatalogWrites } from '../store.ts'
import { advancePlanIn, type PlanResult } from './advance-plan.ts'
import { findPlan, type PlanChange, refuseEnded, requirePlan } from './find-plan.ts'
import { endPlanAs, standing } from './interrupt-plan.ts'
import { fitPlan, hasTargetsOf, refuseNarrower, refuseStopped } from './plan-checks.ts'
import { changedPlan, type PlanRecord } from './plan-record.ts'

export interface PlanToSet extends PlanChange {
  readonly plan: Plan
  readonly approval: Approval
}

/**
 * Sets the plan of a release in place of the one that it has. It is approved as a whole: its steps need no approval of
 * their own. Steps that the release is past are left out, and the first one is applied in the same transaction if it is
 * due. A plan that is running already changes nothing. Throws `unknown`, what `fitPlan` throws, `forbidden` (a channel
 * that requires approval) and `invariant` for a change since `seen`.
 */
export async function setPlanIn(
  tx: CatalogWrites,
  now: number,
  { plan, approval, ...change }: PlanToSet,
): Promise<PlanResult> {
  const { stored, release, record: known, subject } = await findPlan(tx, change)
  if (known?.status === 'running' && isDeepStrictEqual(known.plan, plan)) {
    return { release, record: known }
  }
  const { targets, step, last } = fitPlan(
    plan,
    { ...change.channel, record: stored },
    release,
    known,
  )
  refuseUnapproved(stored, subject, { before: release, after: last }, approval)
  refuseUnjudged(change.channel, stored, release, last)
  const at = new Date(now).toISOString()
  const record: PlanRecord = {
    ...{ releaseId: release.id, plan, targets, status: 'running', reason: null, since: at, step },
    appliedAt: known?.appliedAt ?? null,
    // A step that others have applied soaks as well.
    soakSince: step === 0 ? null : at,
    approved: approval !== null,
    stopReasons: null,
    accepted: acceptedBy(change, known),
    suspectedSince: null,
    openPct: null,
    readings: null,
    revision: uuidv7(),
  }
  await tx.putPlan(record)
  const before = known === undefined ? null : { ...standing(known), plan: known.plan }
  const after = { ...standing(record), plan, ...requestedByOf(approval) }
  await audit(tx, at, change.actor, 'release.plan_set', subject, before, after)
  // Only a later step has a gate, which looks at the health.
  const { channel } = change
  return await advancePlanIn(tx, now, { channel, release, record, health: NO_HEALTH })
}

/** Does the same as a transaction of its own. */
export async function setPlan(catalog: Catalog, task: PlanToSet): Promise<PlanResult> {
  return await catalog.change((tx) => setPlanIn(tx, catalog.now(), task))
}

/** Removes a plan; the release stays as it is served. Throws `unknown` and `invariant` for a change since `seen`. */
export async function removePlan(catalog: Catalog, change: PlanChange): Promise<PlanResult> {
  return await catalog.change(async (tx, at) => {
    const { release, record, subject } = await requirePlan(tx, change)
    await tx.removePlan(release.id)
    await audit(tx, at, change.actor, 'release.plan_removed', subject, standing(record), null)
    return { release, record }
  })
}

/** Suspends a plan. One that is suspended stays as it is. Throws `unknown` and `invariant`. */
export async function suspendPlan(catalog: Catalog, change: PlanChange): Promise<PlanResult> {
  return await catalog.change(async (tx, at) => {
    const { release, record, subject } = await requirePlan(tx, change)
    if (record.status === 'suspended') return { release, record }
    refuseEnded(record, release, ['running'])
    const interruption = { at, actor: change.actor, subject }
    const suspended = await endPlanAs(tx, interruption, record, 'suspended', 'requested')
    return { release, record: suspended }
  })
}

/**
 * Resumes a plan that is suspended, or was stopped by failures, from where the release stands: steps that it is past are
 * left out. The time for which the plan was suspended does not count as soak time. One that is running stays as it is.
 * Throws `unknown`, `rolled_back`, `forbidden` (a channel that has come to require approval) and `invariant`.
 */
export async function resumePlan(catalog: Catalog, change: PlanChange): Promise<PlanResult> {
  return await catalog.change((tx) => resumePlanIn(tx, catalog.now(), change))
}

/** Does the same as a part of a transaction. `now`: Unix time in milliseconds. */
export async function resumePlanIn(
  tx: CatalogWrites,
  now: number,
  change: PlanChange,
): Promise<PlanResult> {
  const { stored, release, record, subject } = await requirePlan(tx, change)
  if (record.status === 'running') return { release, record }
  refuseStopped(release)
  refuseEnded(record, release, ['suspended', 'stopped'])
  const resumed = resumedPlan(record, release, change, now)
  if (!record.approved) {
    const after = { ...release, rolloutPct: 100 }
    refuseUnapproved(stored, subject, { before: release, after }, null)
  }
  await tx.putPlan(resumed)
  const [at, was, is] = [resumed.since, standing(record), standing(resumed)]
  await audit(tx, at, change.actor, 'release.plan_resumed', subject, was, is)
  return { release, record: resumed }
}

/**
 * Returns a plan as it goes on. Throws `invariant` for targets that were changed while it was at a ring, and for a release
 * that is served to devices that its next step does not reach.
 */
function resumedPlan(
  record: PlanRecord,
  release: ReleaseRecord,
  change: PlanChange,
  now: number,
): PlanRecord {
  const { plan, step: known } = record
  const isChanged = !hasTargetsOf(record, release.targets)
  const isAtRing = [known - 1, known].some((index) => ringsAt(plan.steps, index) !== null)
  if (isChanged && isAtRing) {
    throw new Refusal({ code: 'plan_targets_changed', version: release.version })
  }
  const targets = isChanged ? release.targets : record.targets
  const step = firstBroader(plan, targets, release, known)
  if (step < allSteps(plan).length) refuseNarrower(plan, targets, release, step)
  const at = new Date(now).toISOString()
  const soakSince = step === known ? soakSinceOf(record, now) : at
  return changedPlan(record, {
    ...{ status: 'running', reason: null, since: at, targets, step, soakSince },
    ...{ stopReasons: null, accepted: acceptedBy(change, record) },
  })
}

/** The failures so far, which a person accepts who resumes a stopped plan: only later ones can stop it again. */
function acceptedBy(
  { observed }: PlanChange,
  known: PlanRecord | undefined,
): AcceptedObserved | null {
  const isAccepted = known?.reason === 'failures' && observed !== undefined
  return isAccepted ? observed : (known?.accepted ?? null)
}

/** Since when a plan soaks that is resumed now: what it soaked until it was suspended counts. */
function soakSinceOf({ soakSince, since, reason }: PlanRecord, now: number): string | null {
  if (soakSince === null) return null
  const soaked = Math.max(0, Date.parse(since) - Date.parse(soakSince))
  // Until when it soaked before the backup is not known.
  return new Date(reason === 'restored' ? now : now - soaked).toISOString()
}
