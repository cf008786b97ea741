import { type ChannelOverview, type LiveRelease, Overview } from '../../shared/console/overview.ts'
import type { CatalogApp, CatalogChannel, ServedRelease } from '../catalog/snapshot.ts'
import type { ChannelSummary } from '../fleet/summary.ts'
import { reachableAddresses } from './addresses.ts'
import type { ConsoleContext } from './context.ts'
import { presenceOf } from './presence.ts'
import { procedure, router } from './trpc.ts'

/** The first screen: what is live where, from the compiled catalog and the counters. */
export const overviewRoutes = router({
  get: procedure.output(Overview).query(async ({ ctx }) => {
    const { snapshot } = ctx.catalog
    const { lost, failure } = ctx.fleet.health
    return {
      addresses: reachableAddresses(ctx.address),
      apps: await Promise.all(snapshot.apps.map((app) => showApp(ctx, app))),
      telemetry: { lost, failure },
    }
  }),
})

async function showApp(ctx: ConsoleContext, app: CatalogApp): Promise<Overview['apps'][number]> {
  const { key, ref, name, archivedAt } = app.record
  const presence = await presenceOf(ctx, key)
  const channels = [...app.channels.values()].map((channel) =>
    showChannel(channel, presence.channel(channel.record.name)),
  )
  return { ref, name, archived: archivedAt !== null, channels }
}

function showChannel(channel: CatalogChannel, seen: ChannelSummary | undefined): ChannelOverview {
  const { published, releases } = channel.compiled
  const live = liveReleases(published).map((release) => showLive(release, seen))
  return {
    name: channel.record.name,
    releases: releases.length,
    live,
    devices: seen?.devices ?? 0,
    seenToday: seen?.seenToday ?? 0,
    seenLast7Days: seen?.seenLast7Days ?? 0,
    shareOnNewest: live[0]?.adoption ?? null,
    checkInsLast24Hours: seen?.last24Hours.checkIns ?? 0,
  }
}

/**
 * From releases in rising order those that devices can be offered, newest first. Every device that
 * falls through the others is held by the first that is for all; one without artifacts holds none.
 */
function liveReleases(published: readonly ServedRelease[]): ServedRelease[] {
  const offered = published.filter(({ facts }) => facts.artifacts.length > 0).reverse()
  const forAll = offered.findIndex(
    ({ facts, targets }) => facts.rolloutPct === 100 && targets === null,
  )
  return forAll === -1 ? offered : offered.slice(0, forAll + 1)
}

function showLive(release: ServedRelease, seen: ChannelSummary | undefined): LiveRelease {
  const { version, status, rolloutPct } = release.facts
  const on = seen?.versions.find((summary) => summary.version === version)
  const devices = on?.seenLast7Days ?? 0
  const all = seen?.seenLast7Days ?? 0
  const targeted = release.targets !== null
  const adoption = all === 0 ? null : devices / all
  return { version, status, rolloutPct, targeted, devices, adoption }
}
