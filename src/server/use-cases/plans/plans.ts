import type { PlanDetail } from '../../../shared/console/releases/plans.ts'
import type { ChangeId } from '../../../shared/events/audit.ts'
import { NO_HEALTH, type ReleaseHealth } from '../../../shared/health/health.ts'
import type { Plan, PlanPlace } from '../../../shared/plans/plan.ts'
import type { PlanState } from '../../../shared/plans/plan-state.ts'
import { type Catalog, releaseOn, unknownRelease } from '../../catalog/catalog.ts'
import type { PlanResult } from '../../catalog/plans/advance-plan.ts'
import type { PlanChange } from '../../catalog/plans/find-plan.ts'
import * as plans from '../../catalog/plans/plans.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import { historyOf } from '../../catalog/seen-changes.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { Observed } from '../../rules/judging/counted.ts'
import { approvalOf, findActiveChannel, findChannel, type Principal } from '../principal.ts'
import type { PreflightParts } from '../releases/preflight.ts'
import { requirePreflight } from '../releases/preflight-gate.ts'
import { showPlan } from './show-plan.ts'

export interface PlanParts {
  readonly catalog: Catalog
  /** Returns what the gates of a plan look at. */
  readonly healthOf: (releaseId: string) => Promise<ReleaseHealth>
  /** Returns the same, with what a release is judged by besides. */
  readonly observedOf: (releaseId: string) => Promise<Observed>
}

/** The release whose plan is to change, and the revision of it that the change was decided on; undefined for any. */
export interface PlanChangeAt extends PlanPlace {
  readonly seenChange?: ChangeId | undefined
}

/** Returns the plan of a release. Needs the role `viewer`. Throws `unknown`. */
export async function getPlan(
  parts: PlanParts,
  principal: Principal,
  place: PlanPlace,
): Promise<PlanDetail> {
  const { catalog, healthOf } = parts
  const found = await findRelease(parts, principal, place)
  const { app, record, release } = found
  const named = { app: app.ref, channel: record.name, version: release.version }
  const { lastChange } = await historyOf(catalog.store, named, 1)
  // The plan is read after its revision.
  const plan = await catalog.store.plan(release.id)
  const health = await healthOf(release.id)
  const view = { freezes: app.freezes, health, now: catalog.now() }
  const { release: current } = await findRelease(parts, principal, place)
  return { plan: plan === undefined ? null : showPlan(plan, current, view), health, lastChange }
}

/** Sets the plan of a release. Needs the role `release_manager`. Throws as `setPlanIn` does, and `preflight_failed` where required. */
export async function setPlan(
  parts: PlanParts & PreflightParts,
  principal: Principal,
  { plan, ...place }: PlanChangeAt & { readonly plan: Plan },
): Promise<PlanState> {
  const change = await changeOf(parts, principal, place)
  const { channel, version } = change
  const planned = releaseOn(channel, version)?.facts
  const found = planned ? await requirePreflight(parts, principal, channel, planned) : {}
  const task = { ...change, plan, approval: approvalOf(principal) }
  const result = await plans.setPlan(parts.catalog, task)
  return { ...(await shown(parts, channel, result)), ...found }
}

/** Removes the plan of a release, and returns what it was. Needs the role `release_manager`. Throws `unknown`. */
export const removePlan = changing(plans.removePlan)

/** Suspends a plan. Needs the role `release_manager`. Throws what `suspendPlan` of the catalog does. */
export const suspendPlan = changing(plans.suspendPlan)

/** Resumes a plan. Needs the role `release_manager`. Throws what `resumePlan` of the catalog does. */
export const resumePlan = changing(plans.resumePlan)

function changing(change: typeof plans.removePlan) {
  return async (
    parts: PlanParts,
    principal: Principal,
    place: PlanChangeAt,
  ): Promise<PlanState> => {
    const task = await changeOf(parts, principal, place)
    return await shown(parts, task.channel, await change(parts.catalog, task))
  }
}

async function changeOf(
  { catalog, observedOf }: PlanParts,
  principal: Principal,
  { version, seenChange: seen, ...place }: PlanChangeAt,
): Promise<PlanChange> {
  const channel = findActiveChannel(await catalog.refresh(), principal, place, 'release_manager')
  const release = releaseOf(channel, version)
  const observed = release && (await observedOf(release.id))
  return { actor: principal.actor, channel, version, seen, observed }
}

async function shown(
  { catalog, healthOf }: PlanParts,
  { app }: CatalogChannel,
  { release, record }: PlanResult,
): Promise<PlanState> {
  const health = record.step === 0 ? NO_HEALTH : await healthOf(release.id)
  return showPlan(record, release, { freezes: app.freezes, health, now: catalog.now() })
}

async function findRelease(
  { catalog }: PlanParts,
  principal: Principal,
  { version, ...place }: PlanPlace,
): Promise<CatalogChannel & { readonly release: ReleaseRecord }> {
  const channel = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const release = releaseOf(channel, version)
  if (release === undefined) throw unknownRelease(channel, version)
  return { ...channel, release }
}

/** Returns a release of a channel; undefined if there is none of that version. */
export function releaseOf(
  { compiled }: CatalogChannel,
  version: string | undefined,
): ReleaseRecord | undefined {
  return compiled.releases.find(({ facts }) => facts.version === version)?.facts
}
