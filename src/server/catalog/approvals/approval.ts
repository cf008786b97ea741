import { isDeepStrictEqual } from 'node:util'
import type { ClosedState } from '../../../shared/releases/change-request.ts'
import { broadens, type Serving } from '../../rules/decision/broadening.ts'
import { type Actor, audit } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import type { ChangeRequestRecord, ChannelRecord } from '../records.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { CatalogWrites } from '../store.ts'

/** What lets a change pass that requires approval; null for nothing. */
export type Approval =
  | { readonly kind: 'bypass' }
  /** Another person applies what somebody proposed. */
  | { readonly kind: 'request'; readonly requestedBy: string }
  | null

/** Returns whether a change requires approval on a channel. `before` is null for a new release. */
export function needsApproval(
  { policy }: Pick<ChannelRecord, 'policy'>,
  before: Serving | null,
  after: Serving,
): boolean {
  return policy.requireApproval && broadens(before, after)
}

/** Refuses a change that lacks a required approval, inside the transaction and with the stored channel. Throws `approval_required`. */
export function refuseUnapproved(
  channel: ChannelRecord,
  { app, version }: { readonly app: string; readonly version: string },
  { before, after }: { readonly before: Serving | null; readonly after: Serving },
  approval: Approval,
): void {
  if (approval !== null || !needsApproval(channel, before, after)) return
  throw new Refusal({ code: 'approval_required', app, channel: channel.name, version })
}

/** Refuses a change that preflight judged by another policy, inside the transaction. Throws `changed_meanwhile`. */
export function refuseUnjudged(
  { app, record: judged }: CatalogChannel,
  stored: ChannelRecord,
  before: Serving | null,
  after: Serving,
): void {
  if (stored.policy.preflight !== 'required' || !broadens(before, after)) return
  const judgedBy = ({ policy }: ChannelRecord) => [policy.preflight, policy.acceptedFindings]
  if (isDeepStrictEqual(judgedBy(judged), judgedBy(stored))) return
  throw new Refusal({ code: 'changed_meanwhile', app: app.ref, channel: stored.name })
}

/** Returns what the audit entry of a change adds to name the one who requested it. */
export function requestedByOf(approval: Approval): { readonly requestedBy?: string } {
  return approval?.kind === 'request' ? { requestedBy: approval.requestedBy } : {}
}

/** Returns how a request ended, also if it has expired but was not closed yet; null while it is open. */
export function closingOf(
  { closed, expiresAt }: Pick<ChangeRequestRecord<unknown>, 'closed' | 'expiresAt'>,
  now: number,
): ChangeRequestRecord['closed'] {
  if (closed !== null || now < Date.parse(expiresAt)) return closed
  return { state: 'expired', by: null, at: expiresAt, comment: '' }
}

/** Refuses a request that is not open. Throws `invariant`, with who closed it. */
export function refuseClosed(request: ChangeRequestRecord<unknown>, now: number): void {
  const closed = closingOf(request, now)
  if (closed === null) return
  const { state, by, at } = closed
  throw new Refusal({ code: 'change_request_closed', state, by, at })
}

/** How a request ends. */
interface Ending {
  readonly state: ClosedState
  readonly actor: Actor
  readonly comment: string
}

/** Closes a request and records that, as a part of a transaction. */
export async function closeRequest(
  tx: CatalogWrites,
  catalog: Pick<Catalog, 'timestamp'>,
  { app, record }: Pick<CatalogChannel, 'app' | 'record'>,
  { id, version, proposedBy }: ChangeRequestRecord<unknown>,
  { state, actor, comment }: Ending,
): Promise<void> {
  const at = catalog.timestamp()
  const by = state === 'expired' ? null : actor.name
  await tx.closeChangeRequest(id, { state, by, at, comment })
  const subject = { app: app.ref, channel: record.name, version }
  const after = { state, proposedBy, ...(comment === '' ? {} : { comment }) }
  await audit(tx, at, actor, `change_request.${state}`, subject, { state: 'open' }, after)
}
