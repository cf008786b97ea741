import type { ChangeId } from '../../../shared/events/audit.ts'
import { type AuditPlace, type AuditRecord, audit, type Subject } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import type { PlanChange } from '../plans/find-plan.ts'
import { resumePlanIn } from '../plans/plans.ts'
import { refuseChangedSince } from '../seen-changes.ts'
import type { CatalogReads } from '../store.ts'
import { changeServingIn } from './serving.ts'

/** Most changes since a stop that are looked at: with more, it is not undone. */
const MAX_SINCE = 20

const SERVING_CHANGED = 'release.serving_changed'
const PLAN_SUSPENDED = 'release.plan_suspended'
const EXPLAINED = 'release.stop_explained'

const STOPPED = { status: 'paused' } as const
const SERVED = { status: 'published' } as const

/** Who stops which release. */
type Stop = Pick<PlanChange, 'actor' | 'channel' | 'version' | 'observed'>

/** Pauses a release and suspends its plan, whatever anyone saw. Returns what `undoableStop` does. Throws `unknown`, `rolled_back`. */
export async function stopRelease(catalog: Catalog, stop: Stop): Promise<ChangeId | null> {
  return await catalog.change(async (tx, at) => {
    await changeServingIn(tx, at, { ...stop, change: STOPPED }, {})
    return await undoableStop(tx, stop)
  })
}

/** Returns the change by which that caller paused a release, if they can still undo it; null also where that requires approval. */
export async function undoableStop(
  reads: CatalogReads,
  { actor, ...stop }: Stop,
): Promise<ChangeId | null> {
  if (stop.channel.record.policy.requireApproval) return null
  const last = await lastStop(reads, placeOf(stop))
  const isOwn = last?.entry.actor.kind === actor.kind && last.entry.actor.name === actor.name
  return isOwn && !last.isChanged ? last.entry.id : null
}

/**
 * Serves a release as before a stop, and resumes the plan that it suspended. Throws `changed_since_seen` if anything but
 * the reason came after `seen`, the change that `stopRelease` returned; and what resuming a release and a plan throw.
 */
export async function undoStop(catalog: Catalog, { seen, ...stop }: PlanChange): Promise<void> {
  const place = placeOf(stop)
  await catalog.change(async (tx, at) => {
    const last = await lastStop(tx, place)
    if (last?.entry.id !== seen || last?.isChanged !== false) {
      await refuseChangedSince(tx, place, seen)
      throw new Refusal({ code: 'changed_since_seen', ...place, changes: [] })
    }
    await changeServingIn(tx, at, { ...stop, change: SERVED }, {})
    if (last.suspendedPlan) await resumePlanIn(tx, catalog.now(), stop)
  })
}

/** Records why a release was stopped. Throws `changed_since_seen` for one that was not, or is served again. */
export async function explainStop(catalog: Catalog, stop: Stop, reason: string): Promise<void> {
  const place = placeOf(stop)
  await catalog.change(async (tx, at) => {
    const last = await lastStop(tx, place)
    if (last === undefined) {
      throw new Refusal({ code: 'changed_since_seen', ...place, changes: [] })
    }
    await audit(tx, at, stop.actor, EXPLAINED, place, null, { reason })
  })
}

interface LastStop {
  readonly entry: AuditRecord
  /** Whether the same transaction suspended a plan. */
  readonly suspendedPlan: boolean
  /** Whether anything came after it that does not belong to it. */
  readonly isChanged: boolean
}

/** Returns the change by hand that paused a release; undefined if the last change of its status was another one. */
async function lastStop(reads: CatalogReads, place: AuditPlace): Promise<LastStop | undefined> {
  const entries = await reads.auditOf(place, MAX_SINCE)
  const index = entries.findIndex(
    ({ action, after }) => action === SERVING_CHANGED && statusOf(after) !== undefined,
  )
  const entry = entries[index]
  if (entry === undefined || entry.actor.kind === 'server') return undefined
  if (statusOf(entry.before) !== 'published' || statusOf(entry.after) !== 'paused') return undefined
  const since = entries.slice(0, index)
  const suspends = ({ action, at }: AuditRecord) => action === PLAN_SUSPENDED && at === entry.at
  return {
    entry,
    suspendedPlan: since.some(suspends),
    isChanged: since.some((each) => !suspends(each) && each.action !== EXPLAINED),
  }
}

function statusOf(state: unknown): unknown {
  return (state as { readonly status?: unknown } | null)?.status
}

function placeOf({ channel, version }: Omit<Stop, 'actor'>): AuditPlace & Subject {
  return { app: channel.app.ref, channel: channel.record.name, version }
}
