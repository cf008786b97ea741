import { broadens, type Serving } from '../../decision/broadening.ts'
import { Refusal } from '../errors.ts'
import type { ChannelRecord } from '../records.ts'

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

/**
 * Refuses a change that requires approval and has none. Call it inside the transaction, with the channel as it is
 * stored. Throws `approval_required`.
 */
export function refuseUnapproved(
  channel: ChannelRecord,
  { app, version }: { readonly app: string; readonly version: string },
  { before, after }: { readonly before: Serving | null; readonly after: Serving },
  approval: Approval,
): void {
  if (approval !== null || !needsApproval(channel, before, after)) return
  throw new Refusal({ code: 'approval_required', app, channel: channel.name, version })
}

/** Returns what the audit entry of a change adds to name the one who requested it. */
export function requestedByOf(approval: Approval): { readonly requestedBy?: string } {
  return approval?.kind === 'request' ? { requestedBy: approval.requestedBy } : {}
}
