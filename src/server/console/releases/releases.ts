import { z } from 'zod'
import { AnyRelease } from '../../../shared/console/command-line.ts'
import {
  ApplyServingInput,
  type ComparedRelease,
  CompareInput,
  DailyFailures,
  ExplainStopInput,
  MAX_RELEASE_CHOICES,
  MeasureInput,
  PublishPreviewInput,
  ReleaseChoices,
  ReleaseChoicesInput,
  ReleaseComparison,
  ReleaseDetail,
  ReleaseDownloads,
  ReleaseListInput,
  ReleaseListPage,
  type ReleaseOnChannel,
  ReleasePlace,
  ServingChangeInput,
  StoppedRelease,
  UndoStopInput,
} from '../../../shared/console/releases/releases.ts'
import { ReleaseProof } from '../../../shared/files/proof.ts'
import { ReleaseHealthReport } from '../../../shared/health/health.ts'
import { AppRef, ChannelName, Version } from '../../../shared/names.ts'
import { PreflightInput, PreflightReport } from '../../../shared/releases/preflight.ts'
import { PublishBody, Release } from '../../../shared/releases/release.ts'
import { VersionVerdict } from '../../../shared/releases/version-verdict.ts'
import { releaseOn, requireChannel, unknownRelease } from '../../catalog/catalog.ts'
import { newestFirst, showRelease } from '../../catalog/releases/show-release.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import { type AppPresence, presenceOf } from '../../use-cases/fleet/presence.ts'
import { previousRelease } from '../../use-cases/fleet/previous-release.ts'
import { findApp } from '../../use-cases/principal.ts'
import { commandProcedure } from '../command-context.ts'
import type { ConsoleContext } from '../context.ts'
import { by, byUseCase, procedure, router } from '../trpc.ts'
import { releaseDetail, releaseListPage } from './release-views.ts'

/** The screens of the releases: the list, publishing, one release, and two beside each other. */
export const releaseRoutes = router({
  list: procedure.input(ReleaseListInput).output(ReleaseListPage).query(by(releaseListPage)),

  get: procedure.input(ReleasePlace).output(ReleaseDetail).query(by(releaseDetail)),

  /** The version to compare it with; null for the first. */
  previous: procedure.input(ReleasePlace).output(Version.nullable()).query(by(previousVersion)),

  choices: procedure.input(ReleaseChoicesInput).output(ReleaseChoices).query(by(releaseChoices)),

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
    .query(byUseCase('showHealth')),

  /** How many of them had failed day by day. */
  failures: procedure.input(ReleasePlace).output(DailyFailures).query(byUseCase('failuresByDay')),

  compare: procedure.input(CompareInput).output(ReleaseComparison).query(by(compareReleases)),

  checkVersion: commandProcedure
    .input(z.strictObject({ app: AppRef, channel: ChannelName, version: z.string().max(1_000) }))
    .output(VersionVerdict)
    .query(byUseCase('judgeVersion')),

  publish: commandProcedure
    .input(PublishBody)
    .output(Release)
    .mutation(byUseCase('publishRelease')),

  preview: procedure.input(ServingChangeInput).subscription(byUseCase('previewServing')),

  previewPublish: procedure.input(PublishPreviewInput).subscription(byUseCase('previewPublish')),

  /** Begins the proof of a release, or joins the one that runs. */
  prove: commandProcedure.input(AnyRelease).output(ReleaseProof).mutation(byUseCase('startProof')),

  preflight: commandProcedure
    .input(AnyRelease)
    .output(PreflightReport)
    .query(byUseCase('preflight')),

  /** The same with its progress. */
  followPreflight: procedure.input(PreflightInput).subscription(byUseCase('followPreflight')),

  /** The size and SHA-512 of a file that is about to be published. */
  measure: procedure.input(MeasureInput).subscription(byUseCase('measureFile')),

  cancelProof: commandProcedure
    .input(AnyRelease)
    .output(ReleaseProof)
    .mutation(byUseCase('cancelProof')),

  proof: commandProcedure.input(AnyRelease).output(ReleaseProof).query(byUseCase('showProof')),

  changeServing: commandProcedure
    .input(ApplyServingInput)
    .output(Release)
    .mutation(async ({ ctx: { updates, principal }, input }) => {
      const { release } = await updates.changeServing(principal, input)
      return release
    }),

  /** Holds a release at once. */
  stop: procedure
    .input(ReleasePlace)
    .output(StoppedRelease)
    .mutation(async ({ ctx: { updates, principal }, input }) => ({
      stop: await updates.stopRelease(principal, input),
    })),

  undoStop: procedure.input(UndoStopInput).mutation(byUseCase('undoStop')),

  explainStop: procedure.input(ExplainStopInput).mutation(byUseCase('explainStop')),
})

/**
 * Returns the version to compare a release with: the previous one, also by offers to devices without an ID, which no
 * counter has; or else the highest of the lower ones that were published earlier. Null if there is none at all. Throws the
 * refusals `unknown`.
 */
async function previousVersion(
  { catalog, principal }: Pick<ConsoleContext, 'catalog' | 'principal'>,
  place: ReleasePlace,
): Promise<string | null> {
  const app = findApp(await catalog.refresh(), principal, place.app, 'viewer')
  const channel = requireChannel(app, place.channel)
  const { releases } = channel.compiled
  const index = releases.findIndex(({ facts }) => facts.version === place.version)
  const own = releases[index]
  if (own === undefined) throw unknownRelease(channel, place.version)
  const earlier = releases.slice(0, index).filter(({ facts }) => newestFirst(facts, own.facts) > 0)
  const isEarlier = new Set(earlier.map(({ facts }) => facts.id))
  const previous = previousRelease(
    channel,
    own.facts.id,
    ({ id, offered }) => offered && isEarlier.has(id),
  )
  return (previous ?? earlier.at(-1)?.facts)?.version ?? null
}

/** Returns releases of an app to choose from, of all its channels. Throws the refusals `unknown`. */
async function releaseChoices(
  { catalog, principal }: Pick<ConsoleContext, 'catalog' | 'principal'>,
  { app: ref, search }: z.output<typeof ReleaseChoicesInput>,
): Promise<ReleaseChoices> {
  const app = findApp(await catalog.refresh(), principal, ref, 'viewer')
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return [...app.channels.values()]
    .flatMap(({ record: { name }, compiled }) =>
      compiled.releases
        .filter(({ facts }) => isFound(`${facts.version.toLowerCase()} ${name}`, words))
        .map(({ facts }) => ({ channel: name, facts })),
    )
    .sort((one, other) => newestFirst(one.facts, other.facts))
    .slice(0, MAX_RELEASE_CHOICES)
    .map(({ channel, facts: { version, status, createdAt } }) => {
      return { channel, version, status, createdAt }
    })
}

function isFound(name: string, words: readonly string[]): boolean {
  return words.every((word) => name.includes(word))
}

/** Returns two releases as of one moment of the catalog. Throws `unknown` for the app and for `to`; `from` may be gone. */
async function compareReleases(
  ctx: ConsoleContext,
  { app: ref, from, to }: CompareInput,
): Promise<ReleaseComparison> {
  const app = findApp(await ctx.catalog.refresh(), ctx.principal, ref, 'viewer')
  const presence = await presenceOf(ctx, app.record.key)
  const compared = comparedOn(app, presence, to)
  if (compared === null) throw unknownRelease(requireChannel(app, to.channel), to.version)
  return { from: comparedOn(app, presence, from), to: compared }
}

function comparedOn(
  app: CatalogApp,
  presence: AppPresence,
  { channel: name, version }: ReleaseOnChannel,
): ComparedRelease | null {
  const channel = app.channels.get(name)
  const found = channel && releaseOn(channel, version)
  if (channel === undefined || found === undefined) return null
  return {
    release: showRelease(channel, found.facts),
    devices: presence.devicesOn(name, version),
  }
}
