import { z } from 'zod'
import {
  ApplyServingInput,
  ReleaseDetail,
  ReleaseListInput,
  ReleaseListPage,
  ReleasePlace,
  ServingChangeInput,
  VersionVerdict,
} from '../../../shared/console/releases.ts'
import { AppRef, ChannelName } from '../../../shared/names.ts'
import { PublishBody, Release } from '../../../shared/release.ts'
import { procedure, router } from '../context.ts'
import { releaseDetail } from './release-detail.ts'
import { releaseListPage } from './release-list.ts'

/** The screens of the releases: the list, publishing, and one release. */
export const releaseRoutes = router({
  list: procedure
    .input(ReleaseListInput)
    .output(ReleaseListPage)
    .query(({ ctx, input }) => releaseListPage(ctx, input)),

  get: procedure
    .input(ReleasePlace)
    .output(ReleaseDetail)
    .query(({ ctx, input }) => releaseDetail(ctx, input)),

  checkVersion: procedure
    .input(z.strictObject({ app: AppRef, channel: ChannelName, version: z.string().max(1_000) }))
    .output(VersionVerdict)
    .query(({ ctx: { updates, principal }, input }) => updates.judgeVersion(principal, input)),

  publish: procedure
    .input(PublishBody)
    .output(Release)
    .mutation(({ ctx: { updates, principal }, input }) => updates.publishRelease(principal, input)),

  preview: procedure
    .input(ServingChangeInput)
    .subscription(({ ctx: { updates, principal }, input, signal }) =>
      updates.previewServing(principal, input, signal),
    ),

  changeServing: procedure
    .input(ApplyServingInput)
    .output(Release)
    .mutation(async ({ ctx: { updates, principal }, input }) => {
      const { release } = await updates.changeServing(principal, input)
      return release
    }),
})
