import type { PreviewEvent } from '../../../shared/console/releases/preview.ts'
import type { ServingChangeInput } from '../../../shared/console/releases/releases.ts'
import type { ChangeId } from '../../../shared/events/audit.ts'
import type { RequestedChange } from '../../../shared/releases/change-request.ts'
import { needsApproval, refuseClosed } from '../../catalog/approvals/approval.ts'
import * as requests from '../../catalog/approvals/change-requests.ts'
import { requireRelease } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import { servingAfter } from '../../catalog/releases/serving.ts'
import type { People } from '../../people/people.ts'
import type { WithCatalog } from '../bind.ts'
import { type ChannelPlace, findActiveChannel, type Principal } from '../principal.ts'
import type { PreflightParts } from '../releases/preflight.ts'
import { requirePreflightOfRequest } from '../releases/preflight-gate.ts'
import { type PreviewParts, previewChange } from '../releases/preview-serving.ts'
import { findRequest } from './find-requests.ts'
import { areIndependent } from './second-person.ts'

interface DecisionParts extends WithCatalog {
  readonly people: Pick<People, 'voucherOf'>
}

export interface ChangeProposal extends ChannelPlace {
  readonly version: string
  readonly change: RequestedChange
  readonly comment: string
}

/** Returns whether a serving change needs approval. Needs the role `release_manager`. Throws as `changeServing` would otherwise. */
export async function servingNeedsApproval(
  { catalog }: WithCatalog,
  principal: Principal,
  { version, app, channel: name, ...change }: ServingChangeInput,
): Promise<boolean> {
  const place = { app, channel: name }
  const channel = findActiveChannel(await catalog.refresh(), principal, place, 'release_manager')
  const { facts } = requireRelease(channel, version)
  return needsApproval(channel.record, facts, servingAfter(facts, change))
}

/**
 * Stores a change for another person to apply, with what it would do to the devices that are known now. Needs the
 * role `release_manager`. Returns the ID of the change request. Throws what `proposeChange` of the catalog does,
 * `forbidden` for a caller that is no person, and `PreviewsBusy`.
 */
export async function proposeChange(
  parts: PreviewParts,
  principal: Principal,
  { version, change, comment, ...place }: ChangeProposal,
): Promise<string> {
  const { catalog } = parts
  const decider = deciderOf(principal)
  const find = async () =>
    findActiveChannel(await catalog.refresh(), principal, place, 'release_manager')
  const changed = { version, change }
  for await (const event of previewChange(parts, principal, find, changed, undefined)) {
    if (event.type !== 'result') continue
    const { devices, unknown, gaining, losing, movingDown, stranded } = event.preview
    const preview = { devices, unknown, gaining, losing, movingDown, stranded }
    const proposal = { version, change, comment, preview }
    return (await requests.proposeChange(catalog, decider, await find(), proposal)).id
  }
  throw new Error('a preview that is not aborted ends with its result')
}

/** Yields what an open change request would do, as `previewServing` does. Needs the role `viewer`. Throws as applying it would. */
export async function* previewChangeRequest(
  parts: PreviewParts,
  principal: Principal,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreviewEvent, void> {
  const { catalog } = parts
  const { request, place } = await findRequest(parts, principal, id)
  refuseClosed(request, catalog.now())
  const find = async () => findActiveChannel(await catalog.refresh(), principal, place, 'viewer')
  yield* previewChange(parts, principal, find, request, signal)
}

/** What a second person decides, and on which state of the release. */
export interface ChangeDecision {
  readonly id: string
  readonly comment: string
  /** The revision of the release that was shown; undefined for any. */
  readonly seenChange?: ChangeId | undefined
}

/** Applies a change request, as an independent person. Needs the role `release_manager`. Throws as the catalog's does. */
export async function applyChangeRequest(
  parts: DecisionParts & PreflightParts,
  principal: Principal,
  { id, comment, seenChange: seen }: ChangeDecision,
): Promise<void> {
  const { channel, decider, request } = await findForDecision(parts, principal, id)
  await requirePreflightOfRequest(parts, principal, channel, request)
  await requests.applyChangeRequest(parts.catalog, decider, channel, { id, comment, seen })
}

/** Declines a change request. The rest is as in `applyChangeRequest`. */
export async function declineChangeRequest(
  parts: DecisionParts,
  principal: Principal,
  { id, comment }: ChangeDecision,
): Promise<void> {
  const { channel, decider } = await findForDecision(parts, principal, id)
  await requests.declineChangeRequest(parts.catalog, decider, channel, { id, comment })
}

/** Withdraws a change request, as its proposer. Throws `unknown`, `forbidden` and `invariant`. */
export async function withdrawChangeRequest(
  parts: WithCatalog,
  principal: Principal,
  { id }: Pick<ChangeDecision, 'id'>,
): Promise<void> {
  const decider = deciderOf(principal)
  const { channel } = await findRequest(parts, principal, id)
  await requests.withdrawChangeRequest(parts.catalog, decider, channel, id)
}

async function findForDecision(
  { catalog, people }: DecisionParts,
  principal: Principal,
  id: string,
) {
  const decider = deciderOf(principal)
  const { request, place } = await findRequest({ catalog }, principal, id)
  const channel = findActiveChannel(catalog.snapshot, principal, place, 'release_manager')
  const { proposer } = request
  if (decider.person !== proposer && !areIndependent(people, decider.person, proposer)) {
    throw new Refusal({ code: 'independent_person_needed' })
  }
  return { channel, decider, request }
}

function deciderOf({ actor, person }: Principal): requests.Decider {
  if (person === undefined) throw new Refusal({ code: 'person_needed' })
  return { actor, person }
}
