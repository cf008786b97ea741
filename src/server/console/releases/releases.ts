import { z } from 'zod'
import {
  ReleaseDetail,
  ReleaseListInput,
  ReleaseListPage,
  ReleasePlace,
  ServingChangeInput,
  VersionVerdict,
} from '../../../shared/console/releases.ts'
import { AppRef, ChannelName } from '../../../shared/names.ts'
import { PublishBody, Release } from '../../../shared/release.ts'
import { requireChannel } from '../../catalog/catalog.ts'
import { publishRelease } from '../../catalog/publish.ts'
import { changeServing } from '../../catalog/serving.ts'
import { showRelease } from '../../catalog/show-release.ts'
import { judgeVersion } from '../../updates/judge-version.ts'
import { previewServing } from '../../updates/preview-serving.ts'
import { findActiveApp, findActiveChannel, findApp } from '../lookup.ts'
import { procedure, router } from '../trpc.ts'
import { releaseDetail } from './release-detail.ts'
import { listReleases } from './release-list.ts'

/** The screens of the releases: the list, publishing, and one release. */
export const releaseRoutes = router({
  list: procedure
    .input(ReleaseListInput)
    .output(ReleaseListPage)
    .query(({ ctx, input }) => listReleases(ctx, input)),

  get: procedure
    .input(ReleasePlace)
    .output(ReleaseDetail)
    .query(({ ctx, input }) => releaseDetail(ctx, input)),

  checkVersion: procedure
    .input(z.strictObject({ app: AppRef, channel: ChannelName, version: z.string().max(1_000) }))
    .output(VersionVerdict)
    .query(async ({ ctx, input }) => {
      const app = findApp(await ctx.catalog.refresh(), input.app)
      return judgeVersion(requireChannel(app, input.channel), input.version)
    }),

  publish: procedure
    .input(PublishBody)
    .output(Release)
    .mutation(async ({ ctx: { catalog, actor }, input }) => {
      const app = findActiveApp(await catalog.refresh(), input.app)
      const channel = requireChannel(app, input.channel)
      return showRelease(channel, await publishRelease(catalog, actor, channel, input))
    }),

  preview: procedure
    .input(ServingChangeInput)
    .subscription(({ ctx, input, signal }) => previewServing(ctx, input, signal)),

  changeServing: procedure
    .input(ServingChangeInput)
    .output(Release)
    .mutation(async ({ ctx: { catalog, actor }, input }) => {
      const { app: _app, channel: _channel, version, ...change } = input
      const place = findActiveChannel(await catalog.refresh(), input)
      const { release } = await changeServing(catalog, actor, place, version, change)
      return showRelease(place, release)
    }),
})
