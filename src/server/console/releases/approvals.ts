import { z } from 'zod'
import { DecisionInput, ProposalInput } from '../../../shared/console/releases/approvals.ts'
import { ServingChangeInput } from '../../../shared/console/releases/releases.ts'
import { ChangeRequestDetail, ChangeRequestItem } from '../../../shared/releases/change-request.ts'
import { byUseCase, procedure, router } from '../trpc.ts'

const ById = z.strictObject({ id: z.uuid() })

/** The screen of the approvals, and what other screens ask of them. */
export const changeRequestRoutes = router({
  list: procedure
    .input(z.strictObject({ state: z.enum(['open', 'closed']) }))
    .output(z.array(ChangeRequestItem))
    .query(byUseCase('listChangeRequests')),

  /** How many the caller could decide on. */
  pending: procedure.output(z.int()).query(byUseCase('countPendingRequests')),

  get: procedure.input(ById).output(ChangeRequestDetail).query(byUseCase('getChangeRequest')),

  /** Whether a serving change is refused without approval. */
  needed: procedure
    .input(ServingChangeInput)
    .output(z.boolean())
    .query(byUseCase('servingNeedsApproval')),

  preview: procedure
    .input(ById)
    .subscription(({ ctx: { updates, principal }, input, signal }) =>
      updates.previewChangeRequest(principal, input.id, signal),
    ),

  propose: procedure
    .input(ProposalInput)
    .output(ById)
    .mutation(async ({ ctx: { updates, principal }, input }) => ({
      id: await updates.proposeChange(principal, input),
    })),

  applyChange: procedure.input(DecisionInput).mutation(byUseCase('applyChangeRequest')),

  decline: procedure.input(DecisionInput).mutation(byUseCase('declineChangeRequest')),

  withdraw: procedure.input(ById).mutation(byUseCase('withdrawChangeRequest')),
})
