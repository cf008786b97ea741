import {
  ApplyDraftInput,
  DraftPreview,
  DraftPreviewInput,
  DraftsInput,
  SaveDraftInput,
  ShownDraft,
} from '../../../shared/console/releases/drafts.ts'
import { Draft, DraftBody, DraftListAnswer, DraftPlace } from '../../../shared/releases/draft.ts'
import { Release } from '../../../shared/releases/release.ts'
import { commandProcedure } from '../command-context.ts'
import { byUseCase, procedure, router } from '../trpc.ts'

/** The screens of the drafts: the list, and one draft with what a device would get. */
export const draftRoutes = router({
  list: commandProcedure
    .input(DraftsInput)
    .output(DraftListAnswer)
    .query(async ({ ctx: { updates, principal }, input }) => {
      const { drafts, page, pageCount, total } = await updates.listDrafts(principal, input)
      return { drafts: drafts.map(({ draft }) => draft), page, pageCount, total }
    }),

  get: commandProcedure.input(DraftPlace).output(ShownDraft).query(byUseCase('getDraft')),

  /** Adds to a draft, or creates it. */
  put: commandProcedure.input(DraftBody).output(Draft).mutation(byUseCase('putDraft')),

  /** Replaces all that is in a draft, or creates it. */
  save: procedure
    .input(SaveDraftInput)
    .output(ShownDraft)
    .mutation(({ ctx: { updates, principal }, input: { notes, artifacts, documents, ...edit } }) =>
      updates.saveDraft(principal, { ...edit, content: { notes, artifacts, documents } }),
    ),

  publish: commandProcedure
    .input(ApplyDraftInput)
    .output(Release)
    .mutation(byUseCase('publishDraft')),

  discard: commandProcedure.input(DraftPlace).output(Draft).mutation(byUseCase('discardDraft')),

  preview: procedure.input(DraftPreviewInput).output(DraftPreview).query(byUseCase('previewDraft')),
})
