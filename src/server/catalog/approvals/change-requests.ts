import type { ChangeId } from '../../../shared/events/audit.ts'
import type { PreviewTotals, RequestedChange } from '../../../shared/releases/change-request.ts'
import { type Actor, audit } from '../audit-log.ts'
import { type Catalog, unknownRelease } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import { fitNewPlan, fitPlan } from '../plans/plan-checks.ts'
import { setPlanIn } from '../plans/plans.ts'
import type { ChangeRequestRecord } from '../records.ts'
import { publishIn, refuseMalformed } from '../releases/publish.ts'
import { changeServingIn, servingAfter } from '../releases/serving.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { CatalogReads, CatalogWrites } from '../store.ts'
import { storedChannel } from '../stored.ts'
import { type Approval, closeRequest, needsApproval, refuseClosed } from './approval.ts'

const DAY = 86_400_000
/** Milliseconds that a change request stays open. */
const LIFETIME = 7 * DAY
/** Milliseconds that a closed one stays in the list. The audit log keeps what happened. */
const KEEP_CLOSED = 90 * DAY
/** Most open change requests of a channel. */
const MAX_OPEN = 20

/** Who proposes a change or decides on one. */
export interface Decider {
  readonly actor: Actor
  /** See `Principal.person`. */
  readonly person: string
}

export interface Proposal {
  readonly version: string
  readonly change: RequestedChange
  readonly comment: string
  readonly preview: PreviewTotals
}

/**
 * Stores a change as a request that another person can apply for 7 days. Throws `unknown`, what the change itself
 * would be refused with, and `invariant`: a change that requires no approval, or too many open requests.
 */
export async function proposeChange(
  catalog: Catalog,
  { actor, person }: Decider,
  channel: CatalogChannel,
  { version, change, comment, preview }: Proposal,
): Promise<ChangeRequestRecord> {
  const { app, record } = channel
  const place = { app: app.ref, channel: record.name }
  const proposedAt = catalog.now()
  const request: ChangeRequestRecord = {
    id: catalog.newId(),
    ...{ appKey: app.key, channelKey: record.key, version, change, comment, preview },
    ...{ proposer: person, proposedBy: actor.name, proposedAt: iso(proposedAt) },
    expiresAt: iso(proposedAt + LIFETIME),
    closed: null,
  }
  await catalog.change(async (tx) => {
    await refuseUnneeded(tx, channel, version, change)
    if ((await tx.countOpenChangeRequests(record.key)) >= MAX_OPEN) {
      throw new Refusal({ code: 'too_many_change_requests', ...place, maximum: MAX_OPEN })
    }
    await tx.removeChangeRequests(iso(proposedAt - KEEP_CLOSED))
    await tx.insertChangeRequest(request)
    const after = { ...inLog(change), proposedBy: actor.name, comment }
    const { proposedAt: at } = request
    await audit(tx, at, actor, 'change_request.proposed', { ...place, version }, null, after)
  })
  return request
}

/**
 * Applies an open request, as another person than its proposer: the change, its end and both audit entries are one
 * transaction, with the rules of the change checked in it. `seen` is the revision of the release that was shown,
 * see `refuseChangedSince`. Throws what the change itself would be refused with, `unknown`, `invariant` for a
 * request that is closed, and `forbidden` for its proposer.
 */
export async function applyChangeRequest(
  catalog: Catalog,
  decider: Decider,
  channel: CatalogChannel,
  { id, comment, seen }: { id: string; comment: string; seen: ChangeId | undefined },
): Promise<void> {
  await catalog.change(async (tx) => {
    const request = await openRequest(tx, catalog, id)
    refuseProposer(request, decider)
    await carryOut(tx, catalog, decider.actor, channel, request, seen)
    await closeRequest(tx, catalog, channel, request, {
      state: 'applied',
      actor: decider.actor,
      comment,
    })
  })
}

/** Declines an open request, as another person than its proposer. Throws as `applyChangeRequest` does. */
export async function declineChangeRequest(
  catalog: Catalog,
  decider: Decider,
  channel: CatalogChannel,
  { id, comment }: { id: string; comment: string },
): Promise<void> {
  await catalog.change(async (tx) => {
    const request = await openRequest(tx, catalog, id)
    refuseProposer(request, decider)
    await closeRequest(tx, catalog, channel, request, {
      state: 'declined',
      actor: decider.actor,
      comment,
    })
  })
}

/** Withdraws an open request, as its proposer. Throws `unknown`, `invariant` and `forbidden`. */
export async function withdrawChangeRequest(
  catalog: Catalog,
  { actor, person }: Decider,
  channel: CatalogChannel,
  id: string,
): Promise<void> {
  await catalog.change(async (tx) => {
    const request = await openRequest(tx, catalog, id)
    if (request.proposer !== person) {
      throw new Refusal({ code: 'not_proposer', proposer: request.proposedBy })
    }
    await closeRequest(tx, catalog, channel, request, { state: 'withdrawn', actor, comment: '' })
  })
}

async function carryOut(
  tx: CatalogWrites,
  catalog: Catalog,
  actor: Actor,
  channel: CatalogChannel,
  { version, change, proposedBy }: ChangeRequestRecord,
  seen: ChangeId | undefined,
): Promise<void> {
  const approval: Approval = { kind: 'request', requestedBy: proposedBy }
  switch (change.kind) {
    case 'serving': {
      const { kind: _, ...parts } = change
      const task = { actor, channel, version, change: parts }
      await changeServingIn(tx, catalog.timestamp(), task, { seen, approval })
      return
    }
    case 'plan': {
      const task = { actor, channel, version, plan: change.plan, approval, seen }
      await setPlanIn(tx, catalog.now(), task)
      return
    }
    case 'publish': {
      const { kind: _, ...content } = change
      await publishIn(tx, catalog, { actor, channel, content: { version, ...content }, approval })
    }
  }
}

async function openRequest(tx: CatalogReads, catalog: Catalog, id: string) {
  const request = await tx.changeRequest(id)
  if (request === undefined) throw new Refusal({ code: 'unknown_change_request' })
  refuseClosed(request, catalog.now())
  return request
}

function refuseProposer({ proposer }: ChangeRequestRecord, { person }: Decider): void {
  if (proposer === person) throw new Refusal({ code: 'second_person_needed' })
}

async function refuseUnneeded(
  tx: CatalogReads,
  channel: CatalogChannel,
  version: string,
  change: RequestedChange,
): Promise<void> {
  const stored = await storedChannel(tx, channel)
  const release = await tx.release(stored.key, version)
  const place = { app: channel.app.ref, channel: stored.name, version }
  let isNeeded: boolean
  if (change.kind === 'publish') {
    if (release !== undefined) throw new Refusal({ code: 'release_exists', ...place })
    refuseMalformed(channel, { version, ...change })
    if (change.plan !== undefined) {
      fitNewPlan(change.plan, { ...channel, record: stored }, { version, targets: change.targets })
    }
    const rolloutPct = change.plan === undefined ? change.rolloutPct : 100
    isNeeded = needsApproval(stored, null, { ...change, rolloutPct, status: 'published' })
  } else if (release === undefined) {
    throw unknownRelease(channel, version)
  } else if (change.kind === 'plan') {
    const { last } = fitPlan(
      change.plan,
      { ...channel, record: stored },
      release,
      await tx.plan(release.id),
    )
    isNeeded = needsApproval(stored, release, last)
  } else {
    isNeeded = needsApproval(stored, release, servingAfter(release, change))
  }
  if (!isNeeded) throw new Refusal({ code: 'approval_not_needed', ...place })
}

/** A change as the audit log has it: without what makes it long. */
function inLog(change: RequestedChange) {
  if (change.kind !== 'publish') return change
  const { kind, rolloutPct, targets, artifacts, plan } = change
  return { kind, rolloutPct, targets, artifacts: artifacts.length, ...(plan && { plan }) }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
