import { isDeepStrictEqual } from 'node:util'
import { parsedBy } from '../../../shared/issue.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import { Targets } from '../../../shared/releases/targets.ts'
import { areWithin, type Serving } from '../../rules/decision/broadening.ts'
import { narrowing } from '../../rules/decision/narrowing.ts'
import {
  firstBroader,
  percentageFrom,
  RING_LABEL,
  ringsAt,
  type StepServing,
  stepServing,
} from '../../rules/plans/step-serving.ts'
import { invalid, Refusal } from '../errors.ts'
import type { AppRecord, ChannelRecord, ReleaseRecord } from '../records.ts'
import { refuseInvalidRanges, type ServedState, servingAfter } from '../releases/serving.ts'
import type { PlanRecord } from './plan-record.ts'

export interface PlanChannel {
  readonly app: Pick<AppRecord, 'ref'>
  readonly record: Pick<ChannelRecord, 'name' | 'policy'>
}

/** What a plan does with a release as it is served now. */
export interface PlanFit {
  /** The targets of the release without the rings of a plan. */
  readonly targets: Targets
  /** The first step that offers the release to more devices. */
  readonly step: number
  /** How the release is served when the plan is finished. */
  readonly last: Serving
}

/**
 * Returns what a plan would do with a release. Steps that the release is past are left out. Throws `rolled_back`,
 * `invariant` for a release that is paused or served to devices that a step does not reach and for a ring without early
 * access, and `invalid` for a ring that the release does not target.
 */
export function fitPlan(
  plan: Plan,
  channel: PlanChannel,
  release: ServedState,
  known: PlanRecord | undefined,
): PlanFit {
  refuseStopped(release)
  const targets = ownTargets(release, known)
  refuseOtherRings(plan, targets)
  const step = firstBroader(plan, targets, release)
  const steps = allSteps(plan)
  if (step === steps.length) throw new Refusal({ code: 'plan_done', path: ['plan', 'steps'] })
  refuseNarrower(plan, targets, release, step)
  refuseLateRings(plan, targets, channel, step)
  const last = stepServing(plan, targets, steps.length - 1)
  return { targets, step, last: { ...last, status: release.status } }
}

/** Returns what a plan would do with a release published with it. Throws `invalid` for a range in the targets, and as `fitPlan`. */
export function fitNewPlan(
  plan: Plan,
  channel: PlanChannel,
  { version, targets }: Pick<ReleaseRecord, 'version' | 'targets'>,
): PlanFit {
  refuseInvalidRanges(targets)
  const state = { status: 'published', rolloutPct: 0, awaitsProof: false, offered: false } as const
  return fitPlan(plan, channel, { ...state, version, targets }, undefined)
}

/** Refuses a release of which no plan can apply a step. Throws `rolled_back` and `invariant`. */
export function refuseStopped({ status, awaitsProof, version }: ServedState): void {
  if (status === 'rolled_back') throw new Refusal({ code: 'release_rolled_back', version })
  if (status === 'paused' && !awaitsProof) {
    throw new Refusal({ code: 'plan_release_paused', version })
  }
}

/** Returns the targets without the rings that the plan added; all of them if they are not what the plan made. */
function ownTargets({ targets }: ServedState, known: PlanRecord | undefined): Targets {
  return known !== undefined && hasTargetsOf(known, targets) ? known.targets : targets
}

/** Returns whether targets are what a plan made of them. */
export function hasTargetsOf({ plan, targets, step }: PlanRecord, current: Targets): boolean {
  const made = step === 0 ? targets : stepServing(plan, targets, step - 1).targets
  return isDeepStrictEqual(made, current)
}

function refuseOtherRings(plan: Plan, { matchLabels, matchExpressions }: Targets): void {
  const targeted = matchLabels[RING_LABEL]
  for (const [index, step] of plan.steps.entries()) {
    if (!('ring' in step)) continue
    const path = ['plan', 'steps', String(index), 'ring']
    const ring = targeted && step.ring.find((each) => ![targeted].flat().includes(each))
    if (ring !== undefined) throw new Refusal({ code: 'ring_not_targeted', path, ring })
    const rings = ringsAt(plan.steps, index) ?? []
    const narrowed = { matchLabels: { ...matchLabels, [RING_LABEL]: rings }, matchExpressions }
    parsedBy(Targets, narrowed, ({ reason }) => invalid({ path, reason }))
  }
}

/** Refuses rings that would get the release only in part: below 100%, the early access list decides. Throws `invariant`. */
function refuseLateRings(
  plan: Plan,
  { matchLabels, matchExpressions }: Targets,
  { app, record }: PlanChannel,
  from: number,
): void {
  const steps = allSteps(plan)
  const early = record.policy.earlyAccess.targets
  for (const [index, step] of steps.entries()) {
    if (index < from || !('ring' in step)) continue
    const rolloutPct = percentageFrom(steps, index)
    if (rolloutPct === 100) return
    const ring = step.ring.find((each) => {
      const members = { matchLabels: { ...matchLabels, [RING_LABEL]: each }, matchExpressions }
      return !early.some((targets) => areWithin(members, targets))
    })
    if (ring === undefined) continue
    const path = ['plan', 'steps', String(index), 'ring']
    const place = { app: app.ref, channel: record.name }
    throw new Refusal({ code: 'ring_not_early', path, ring, rolloutPct, ...place })
  }
}

/** Refuses a step that would take the release from devices. Throws `invariant`. */
export function refuseNarrower(plan: Plan, own: Targets, release: ServedState, step: number): void {
  const next: StepServing = stepServing(plan, own, step)
  if (release.rolloutPct > 0 && narrowing(release.targets, next.targets) !== undefined) {
    throw new Refusal({ code: 'plan_narrows', path: ['plan', 'steps', String(step), 'ring'] })
  }
  if (next.rolloutPct < release.rolloutPct) {
    const path = ['plan', 'steps', String(step), 'rolloutPct']
    const lowered = { from: release.rolloutPct, to: next.rolloutPct }
    throw new Refusal({ code: 'rollout_lowered', path, ...lowered })
  }
  servingAfter(release, next)
}
