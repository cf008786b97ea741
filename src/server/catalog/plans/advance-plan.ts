import type { ReleaseHealth } from '../../../shared/health/health.ts'
import type { HoldoutResult } from '../../../shared/health/judgement.ts'
import { gateValues } from '../../../shared/plans/plan-gate.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import type { RefusalFacts } from '../../../shared/refusal.ts'
import { type NextStep, nextStep, type PlanProgress } from '../../rules/plans/next-step.ts'
import { ringsAt, stepServing } from '../../rules/plans/step-serving.ts'
import { audit, SERVER } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import type { ReleaseRecord } from '../records.ts'
import { changeServingIn } from '../releases/serving.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { CatalogWrites, TransactOptions } from '../store.ts'
import { storedActiveApp } from '../stored.ts'
import { endPlanAs, standing } from './interrupt-plan.ts'
import { changedPlan, type PlanOfRelease, type PlanRecord } from './plan-record.ts'

/** New offers wait because the release seems to fail, and they do no longer. */
export const OFFERS_HELD = 'release.offers_held'
export const OFFERS_RESUMED = 'release.offers_resumed'

export interface KnownOfRelease {
  readonly health: ReleaseHealth
  /** Of the devices that are held back, ahead of the step that releases them. */
  readonly holdout?: HoldoutResult | null
}

/** A plan at work, with what it is judged by. */
export interface PlanTask extends KnownOfRelease {
  readonly channel: CatalogChannel
  readonly release: ReleaseRecord
  readonly record: PlanRecord
}

/** A release and its plan after a step, or as they were if none was due. */
export type PlanResult = Pick<PlanTask, 'release' | 'record'>

/**
 * Carries out what is due of a running plan that was judged to be fine: one step, or its end; it is no longer suspected,
 * and no offers wait.
 * The state of the plan and the release change in one transaction, and only if the plan still has the revision that was
 * seen, so that no step is applied twice. Throws `unknown`, and what changing the serving state throws.
 */
export async function advancePlan(
  catalog: Catalog,
  channel: CatalogChannel,
  seen: PlanOfRelease,
  known: KnownOfRelease,
  options: TransactOptions = {},
): Promise<void> {
  await catalog.change(async (tx) => {
    const release = await tx.release(channel.record.key, seen.version)
    const record = await tx.plan(seen.releaseId)
    if (release?.id !== seen.releaseId || record?.revision !== seen.revision) return
    await advancePlanIn(tx, catalog.now(), { channel, release, record, ...known })
  }, options)
}

/** Does the same as a part of a transaction, for the plan as it is stored. `now`: Unix time in milliseconds. */
export async function advancePlanIn(
  tx: CatalogWrites,
  now: number,
  task: PlanTask,
): Promise<PlanResult> {
  const { channel, release, record, health } = task
  const unchanged = { release, record }
  if (record.status !== 'running') return unchanged
  const { freezes } = await storedActiveApp(tx, channel.app)
  const progress = progressOf(record, release)
  const at = new Date(now).toISOString()
  if (record.openPct !== null) {
    const [subject, was] = [subjectOf(channel, release), { openPct: record.openPct }]
    await audit(tx, at, SERVER, OFFERS_RESUMED, subject, was, { openPct: null })
  }
  if (progress.soakSince !== null && progress.soakSince > now) {
    // The clock was ahead when the step was applied.
    const corrected = changedPlan(record, { soakSince: at })
    await tx.putPlan(corrected)
    return { release, record: corrected }
  }
  const next = nextStep(record.plan, progress, health, freezes, now)
  if (next.kind === 'apply') return await applyStep(tx, at, task, next)
  if (next.kind === 'finished') return { release, record: await finish(tx, at, task, record) }
  if (record.suspectedSince === null) return unchanged
  const cleared = changedPlan(record, {})
  await tx.putPlan(cleared)
  return { release, record: cleared }
}

/** Returns where a plan stands, as the schedule takes it. */
export function progressOf(
  { step, soakSince, readings }: Pick<PlanRecord, 'step' | 'soakSince' | 'readings'>,
  { awaitsProof }: Pick<ReleaseRecord, 'awaitsProof'>,
): PlanProgress {
  const since = soakSince === null ? null : Date.parse(soakSince)
  return { step, soakSince: since, awaitsProof, readings }
}

/** Suspends a plan whose step was refused, unless it has changed since it was seen. `facts`: why, for the audit log. */
export async function suspendRefused(
  catalog: Catalog,
  { app, record: { name } }: CatalogChannel,
  seen: PlanOfRelease,
  facts: RefusalFacts,
  options: TransactOptions = {},
): Promise<void> {
  const subject = { app: app.ref, channel: name, version: seen.version }
  await catalog.change(async (tx, at) => {
    const record = await tx.plan(seen.releaseId)
    if (record?.revision !== seen.revision) return
    const interruption = { at, actor: SERVER, subject }
    await endPlanAs(tx, interruption, record, 'suspended', 'refused', { refusal: facts.code })
  }, options)
}

async function applyStep(
  tx: CatalogWrites,
  at: string,
  { channel, release, record, health, holdout }: PlanTask,
  { step }: Extract<NextStep, { kind: 'apply' }>,
): Promise<PlanResult> {
  const { plan, targets, approved } = record
  const change = stepServing(plan, targets, step)
  const task = { actor: SERVER, channel, version: release.version, change }
  const approval = approved ? ({ kind: 'bypass' } as const) : null
  const served = await changeServingIn(tx, at, task, { approval, cause: 'plan' })
  const applied = changedPlan(record, { step: step + 1, appliedAt: at, soakSince: at })
  await tx.putPlan(applied)
  const steps = allSteps(plan)
  const rings = ringsAt(steps, step)
  const [heldBackPct, releasedPct] = [steps[step], steps[step - 1]].map((each) => each?.heldBackPct)
  const after = {
    ...standing(applied),
    rolloutPct: change.rolloutPct,
    ...(rings === null ? {} : { rings }),
    ...(heldBackPct === undefined ? {} : { heldBackPct }),
    ...(releasedPct === undefined ? {} : { releasedPct, ...(holdout && { holdout }) }),
    // The numbers that the step was applied on: of the devices that the steps before reached.
    ...(step === 0 ? {} : { health, ...gateValues(health), gate: steps[step - 1]?.gate ?? {} }),
    ...(record.readings === null ? {} : { readings: record.readings }),
  }
  const subject = subjectOf(channel, release)
  await audit(tx, at, SERVER, 'release.plan_step_applied', subject, standing(record), after)
  const isFinished = applied.step === steps.length && steps.at(-1)?.soakHours === 0
  return {
    release: served.release,
    record: isFinished
      ? await finish(tx, at, { channel, release, record, health }, applied)
      : applied,
  }
}

async function finish(
  tx: CatalogWrites,
  at: string,
  { channel, release, health }: PlanTask,
  record: PlanRecord,
): Promise<PlanRecord> {
  const finished = changedPlan(record, { status: 'finished', reason: null, since: at })
  await tx.putPlan(finished)
  const after = { ...standing(finished), health, ...gateValues(health) }
  const subject = subjectOf(channel, release)
  await audit(tx, at, SERVER, 'release.plan_finished', subject, standing(record), after)
  return finished
}

function subjectOf({ app, record }: CatalogChannel, { version }: ReleaseRecord) {
  return { app: app.ref, channel: record.name, version }
}
