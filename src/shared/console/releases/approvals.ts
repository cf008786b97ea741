import { z } from 'zod'
import { ChangeId } from '../../events/audit.ts'
import { Comment, RequestedChange } from '../../releases/change-request.ts'
import { ReleasePlace } from './releases.ts'

/** A change to propose, for another person to apply. */
export const ProposalInput = ReleasePlace.extend({ change: RequestedChange, comment: Comment })
export type ProposalInput = z.infer<typeof ProposalInput>

/** The decision on a change request. */
export const DecisionInput = z.strictObject({
  id: z.uuid(),
  comment: Comment,
  /** The `lastChange` of the release that was shown beside the request. */
  seenChange: ChangeId.optional(),
})
