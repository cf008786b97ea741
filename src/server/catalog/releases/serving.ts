import type { ChangeId } from '../../../shared/events/audit.ts'
import type { ServingBody } from '../../../shared/releases/release.ts'
import type { Targets } from '../../../shared/releases/targets.ts'
import { narrowing } from '../../rules/decision/narrowing.ts'
import { invalidRange } from '../../rules/decision/targets.ts'
import {
  type Approval,
  refuseUnapproved,
  refuseUnjudged,
  requestedByOf,
} from '../approvals/approval.ts'
import { type Actor, audit } from '../audit-log.ts'
import { type Catalog, unknownRelease } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import { interruptPlan } from '../plans/interrupt-plan.ts'
import type { ReleaseRecord } from '../records.ts'
import { refuseChangedSince } from '../seen-changes.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { CatalogWrites, ServingState } from '../store.ts'
import { storedChannel } from '../stored.ts'
import { refuseUnproven } from './proofs.ts'

/** The parts of a serving change; each is optional. */
export type ServingChange = Pick<ServingBody, 'targets' | 'rolloutPct' | 'status'>

/** What a release has that serving changes depend on. */
export type ServedState = ServingState & Pick<ReleaseRecord, 'version' | 'offered'>

/** A release after a serving change, and whether the change changed anything. */
export interface ServingResult {
  readonly release: ReleaseRecord
  readonly changed: boolean
}

/** Under what conditions a serving change is made. */
export interface ServingTerms {
  /** The revision of the release that the change was decided on, see `refuseChangedSince`. */
  readonly seen?: ChangeId | undefined
  readonly approval?: Approval
  /** What the server makes the change for; undefined for a change by hand, which suspends a plan. */
  readonly cause?: 'plan' | 'proof' | undefined
}

export interface ServingTask {
  readonly actor: Actor
  readonly channel: CatalogChannel
  readonly version: string
  readonly change: ServingChange
}

/**
 * Changes how a release is served. The parts are applied in the order targets, rollout, status;
 * the first that breaks an invariant rejects the entire change. A part that changes nothing always passes.
 * The invariants are checked inside the transaction, against what is stored. A running plan of the release is suspended
 * in it, and ends with a rollback.
 *
 * Throws `unknown` (channel, release), `invalid` (a range in the targets), `rolled_back` (any change of a
 * rolled-back release), `invariant` (a step back on an offered release, a change since `seen`) and `forbidden`
 * (a change that requires approval and has none), and `invariant` for resuming an unproven release where the channel
 * requires proof or whose policy of preflight has changed.
 */
export async function changeServing(
  catalog: Catalog,
  actor: Actor,
  channel: CatalogChannel,
  version: string,
  change: ServingChange,
  terms: ServingTerms = {},
): Promise<ServingResult> {
  const task = { actor, channel, version, change }
  return await catalog.change((tx, at) => changeServingIn(tx, at, task, terms))
}

/** Does the same as a part of a transaction. `at`: ISO 8601, UTC. */
export async function changeServingIn(
  tx: CatalogWrites,
  at: string,
  { actor, channel, version, change }: ServingTask,
  { seen, approval = null, cause }: ServingTerms,
): Promise<ServingResult> {
  if (change.targets !== undefined) refuseInvalidRanges(change.targets)
  const { app, record } = channel
  const stored = await storedChannel(tx, channel)
  const release = await tx.release(record.key, version)
  if (release === undefined) throw unknownRelease(channel, version)
  const subject = { app: app.ref, channel: record.name, version }
  await refuseChangedSince(tx, subject, seen)
  const state = servingAfter(release, change)
  const changed = changedParts(release, state)
  if (changed.length === 0) return { release, changed: false }
  if (isResumed(release, state)) await refuseUnproven(tx, stored, subject, release)
  refuseUnapproved(stored, subject, { before: release, after: state }, approval)
  // What waited for its proof was judged when it was published.
  if (cause !== 'proof') refuseUnjudged(channel, stored, release, state)
  const revision = await tx.setServing(release.id, state)
  const [before, after] = [pick(release, changed), pick(state, changed)]
  const approved = { ...after, ...requestedByOf(approval) }
  await audit(tx, at, actor, 'release.serving_changed', subject, before, approved)
  if (cause === undefined) {
    await interruptPlan(tx, { at, actor, subject }, release.id, state.status)
  }
  return { release: { ...release, ...state, revision }, changed: true }
}

/**
 * What a release's serving becomes with `change`, or the refusal. Pure; the rules are those of
 * `changeServing`. A part that means what is stored already leaves the stored value as it is. A change of a
 * rolled-back release has to name that status: whoever only sets the percentage that it has believes that it is served.
 */
export function servingAfter(release: ServedState, change: ServingChange): ServingState {
  let { targets, rolloutPct, status } = release
  if (change.status !== 'rolled_back') refuseRolledBack(release)
  if (change.targets !== undefined && !sameTargets(targets, change.targets)) {
    refuseRolledBack(release)
    const narrowed = release.offered ? narrowing(targets, change.targets) : undefined
    if (narrowed !== undefined) {
      throw new Refusal({ ...narrowed, path: ['targets', ...narrowed.path] })
    }
    targets = change.targets
  }
  if (change.rolloutPct !== undefined && change.rolloutPct !== rolloutPct) {
    refuseRolledBack(release)
    if (release.offered && change.rolloutPct < rolloutPct) {
      const step = { from: rolloutPct, to: change.rolloutPct }
      throw new Refusal({ code: 'rollout_lowered', path: ['rolloutPct'], ...step })
    }
    rolloutPct = change.rolloutPct
  }
  if (change.status !== undefined) status = change.status
  // Whoever names the status decides on it, also where it stays the same: nothing resumes the release by itself.
  const awaitsProof = release.awaitsProof && change.status === undefined
  return { targets, rolloutPct, status, awaitsProof }
}

function refuseRolledBack({ status, version }: ServedState): void {
  if (status === 'rolled_back') throw new Refusal({ code: 'release_rolled_back', version })
}

/** Throws `invalid` for targets with a `VersionIn` value that is not a range. */
export function refuseInvalidRanges(targets: Targets): void {
  const path = invalidRange(targets)
  if (path !== undefined) throw new Refusal({ code: 'invalid_range', path: ['targets', ...path] })
}

/** Returns whether no device can distinguish the two. */
function sameTargets(one: Targets, other: Targets): boolean {
  return narrowing(one, other) === undefined && narrowing(other, one) === undefined
}

function isResumed(before: ServingState, after: ServingState): boolean {
  return before.status === 'paused' && after.status === 'published'
}

/** Returns the parts in which two states differ. */
export function changedParts(before: ServingState, after: ServingState): (keyof ServingState)[] {
  // A release that no longer waits for its proof is paused for good, or no longer paused.
  const isDecided = before.awaitsProof !== after.awaitsProof
  return (['targets', 'rolloutPct', 'status', 'awaitsProof'] as const).filter(
    (part) => before[part] !== after[part] || (isDecided && part === 'status'),
  )
}

function pick(state: ServingState, parts: readonly (keyof ServingState)[]): Partial<ServingState> {
  return Object.fromEntries(parts.map((part) => [part, state[part]]))
}
