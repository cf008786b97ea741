import { z } from 'zod'
import {
  ApplyServingInput,
  CompareInput,
  ReleaseChoices,
  ReleaseChoicesInput,
  ReleaseComparison,
  ReleaseDetail,
  ReleaseListInput,
  ReleaseListPage,
  ReleasePlace,
  ServingChangeInput,
  VersionVerdict,
} from '../../../shared/console/releases.ts'
import { AppRef, ChannelName, Version } from '../../../shared/names.ts'
import { PublishBody, Release } from '../../../shared/release.ts'
import { procedure, router } from '../context.ts'
import { compareReleases } from './compare-releases.ts'
import { previousRelease } from './previous-release.ts'
import { releaseChoices } from './release-choices.ts'
import { releaseDetail } from './release-detail.ts'
import { releaseListPage } from './release-list.ts'

/** The screens of the releases: the list, publishing, one release, and two beside each other. */
export const releaseRoutes = router({
  list: procedure
    .input(ReleaseListInput)
    .output(ReleaseListPage)
    .query(({ ctx, input }) => releaseListPage(ctx, input)),

  get: procedure
    .input(ReleasePlace)
    .output(ReleaseDetail)
    .query(({ ctx, input }) => releaseDetail(ctx, input)),

  /** The version that the channel served before; null for the first. */
  previous: procedure
    .input(ReleasePlace)
    .output(Version.nullable())
    .query(({ ctx, input }) => previousRelease(ctx, input)),

  choices: procedure
    .input(ReleaseChoicesInput)
    .output(ReleaseChoices)
    .query(({ ctx, input }) => releaseChoices(ctx, input)),

  compare: procedure
    .input(CompareInput)
    .output(ReleaseComparison)
    .query(({ ctx, input }) => compareReleases(ctx, input)),

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
