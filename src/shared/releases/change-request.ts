import { z } from 'zod'
import { ChangeId } from '../events/audit.ts'
import { RELEASE_NAMES, RolloutPct, Timestamp } from '../names.ts'
import { Plan } from '../plans/plan.ts'
import { PublishBody, ReleaseStatus } from './release.ts'
import { Targets } from './targets.ts'

/** Most characters of a comment on a change request. */
export const MAX_COMMENT = 2_000

export const Comment = z.string().max(MAX_COMMENT, `must be at most ${MAX_COMMENT} characters`)

/** Why a change request is no longer open. */
export const ClosedState = z.enum(['applied', 'declined', 'withdrawn', 'expired'])
export type ClosedState = z.infer<typeof ClosedState>

const serving = {
  kind: z.literal('serving'),
  targets: Targets.optional(),
  rolloutPct: RolloutPct.optional(),
  status: ReleaseStatus.optional(),
}

const planned = { kind: z.literal('plan'), plan: Plan }

/** A change that somebody asks another person to apply. */
export const RequestedChange = z.discriminatedUnion('kind', [
  z.strictObject(serving),
  PublishBody.omit({ app: true, channel: true, version: true }).extend({
    kind: z.literal('publish'),
  }),
  z.strictObject(planned),
])
export type RequestedChange = z.infer<typeof RequestedChange>

/** The same without what makes it long. */
export const ChangeSummary = z.discriminatedUnion('kind', [
  z.strictObject(serving),
  z.strictObject({
    kind: z.literal('publish'),
    targets: Targets,
    rolloutPct: RolloutPct,
    plan: Plan.optional(),
  }),
  z.strictObject(planned),
])
export type ChangeSummary = z.infer<typeof ChangeSummary>

/** What a change does to the devices that were known when it was counted. */
export const PreviewTotals = z.strictObject({
  /** Known devices of the channel that were looked at. */
  devices: z.int(),
  /** Those whose version or platform is counted as other: they are not in any other count. */
  unknown: z.int(),
  /** Devices that are offered the release and are not now. */
  gaining: z.int(),
  /** Devices that are offered it now and would not be. */
  losing: z.int(),
  /** Devices on it that would be sent to a lower version. */
  movingDown: z.int(),
  /** Devices on it that would be left on it, because nothing is below. */
  stranded: z.int(),
})
export type PreviewTotals = z.infer<typeof PreviewTotals>

const request = {
  id: z.uuid(),
  ...RELEASE_NAMES,
  comment: z.string(),
  /** Counted when the change was proposed. */
  preview: PreviewTotals,
  proposedBy: z.string(),
  proposedAt: Timestamp,
  expiresAt: Timestamp,
  /** Null while the request is open. `by` is null for one that expired. */
  closed: z
    .strictObject({
      state: ClosedState,
      by: z.string().nullable(),
      at: Timestamp,
      comment: z.string(),
    })
    .nullable(),
  /** What the caller may do with it now. */
  mayDecide: z.boolean(),
  mayWithdraw: z.boolean(),
}

export const ChangeRequestItem = z.strictObject({ ...request, change: ChangeSummary })
export type ChangeRequestItem = z.infer<typeof ChangeRequestItem>

export const ChangeRequestDetail = z.strictObject({
  ...request,
  change: RequestedChange,
  /** How the release is served now; null if it does not exist. */
  current: z
    .strictObject({
      targets: Targets,
      rolloutPct: RolloutPct,
      status: ReleaseStatus,
      /** The revision of the release, never newer than the rest. */
      lastChange: ChangeId,
    })
    .nullable(),
  /** Grows with every change of the channel and of all its releases: with it, previews become outdated. */
  channelRevision: z.int(),
})
export type ChangeRequestDetail = z.infer<typeof ChangeRequestDetail>
