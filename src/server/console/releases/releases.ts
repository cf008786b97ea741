import { z } from 'zod'
import { AnyRelease } from '../../../shared/console/command-line.ts'
import {
  ApplyServingInput,
  CompareInput,
  ReleaseChoices,
  ReleaseChoicesInput,
  ReleaseComparison,
  ReleaseDetail,
  ReleaseDownloads,
  ReleaseListInput,
  ReleaseListPage,
  ReleasePlace,
  ServingChangeInput,
  VersionVerdict,
} from '../../../shared/console/releases.ts'
import { ReleaseHealthReport } from '../../../shared/health.ts'
import { AppRef, ChannelName, Version } from '../../../shared/names.ts'
import { ReleaseProof } from '../../../shared/proof.ts'
import { PublishBody, Release } from '../../../shared/release.ts'
import { commandProcedure } from '../command-context.ts'
import { procedure, router } from '../trpc.ts'
import { compareReleases } from './compare-releases.ts'
import { previousVersion } from './previous-version.ts'
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

  /** The version to compare it with; null for the first. */
  previous: procedure
    .input(ReleasePlace)
    .output(Version.nullable())
    .query(({ ctx, input }) => previousVersion(ctx, input)),

  choices: procedure
    .input(ReleaseChoicesInput)
    .output(ReleaseChoices)
    .query(({ ctx, input }) => releaseChoices(ctx, input)),

  /** What its files cost devices to download, also those that run the previous version. */
  downloads: procedure
    .input(ReleasePlace)
    .output(ReleaseDownloads)
    .query(async ({ ctx, input }) =>
      ctx.updates.releaseDownloads(ctx.principal, input, await previousVersion(ctx, input)),
    ),

  /** What became of the devices that were offered it. */
  health: commandProcedure
    .input(AnyRelease)
    .output(ReleaseHealthReport)
    .query(({ ctx: { updates, principal }, input }) => updates.showHealth(principal, input)),

  compare: procedure
    .input(CompareInput)
    .output(ReleaseComparison)
    .query(({ ctx, input }) => compareReleases(ctx, input)),

  checkVersion: procedure
    .input(z.strictObject({ app: AppRef, channel: ChannelName, version: z.string().max(1_000) }))
    .output(VersionVerdict)
    .query(({ ctx: { updates, principal }, input }) => updates.judgeVersion(principal, input)),

  publish: commandProcedure
    .input(PublishBody)
    .output(Release)
    .mutation(({ ctx: { updates, principal }, input }) => updates.publishRelease(principal, input)),

  preview: procedure
    .input(ServingChangeInput)
    .subscription(({ ctx: { updates, principal }, input, signal }) =>
      updates.previewServing(principal, input, signal),
    ),

  /** Begins the proof of a release, or joins the one that runs. */
  prove: commandProcedure
    .input(AnyRelease)
    .output(ReleaseProof)
    .mutation(({ ctx: { updates, principal }, input }) => updates.startProof(principal, input)),

  cancelProof: commandProcedure
    .input(AnyRelease)
    .output(ReleaseProof)
    .mutation(({ ctx: { updates, principal }, input }) => updates.cancelProof(principal, input)),

  proof: commandProcedure
    .input(AnyRelease)
    .output(ReleaseProof)
    .query(({ ctx: { updates, principal }, input }) => updates.showProof(principal, input)),

  changeServing: commandProcedure
    .input(ApplyServingInput)
    .output(Release)
    .mutation(async ({ ctx: { updates, principal }, input }) => {
      const { release } = await updates.changeServing(principal, input)
      return release
    }),
})
