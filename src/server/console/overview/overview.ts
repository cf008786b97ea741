import {
  type ChannelOverview,
  type LiveRelease,
  Overview,
} from '../../../shared/console/overview.ts'
import type { CatalogApp, CatalogChannel, ServedRelease } from '../../catalog/snapshot.ts'
import type { ChannelSummary } from '../../fleet/charts/summary.ts'
import { presenceOf } from '../../updates/presence.ts'
import { reachableAddresses } from '../apps/addresses.ts'
import type { ConsoleContext } from '../context.ts'
import { procedure, router } from '../context.ts'
import {
  NO_RECENT_DEVICES,
  type RecentCounts,
  type RecentDevices,
} from '../fleet/recent-devices.ts'

/** The first screen: what is live where, from the compiled catalog, the counters and the devices. */
export const overviewRoutes = router({
  get: procedure.output(Overview).query(async ({ ctx }) => {
    const { snapshot } = ctx.catalog
    const { lost, failure, budgets } = ctx.fleet.health
    const recent = await ctx.recentDevices.get()
    return {
      addresses: reachableAddresses(ctx.address),
      apps: await Promise.all(snapshot.apps.map((app) => showApp(ctx, app, recent))),
      telemetry: { lost, failure },
      budgets: [...budgets],
    }
  }),
})

async function showApp(
  ctx: ConsoleContext,
  app: CatalogApp,
  recent: RecentCounts,
): Promise<Overview['apps'][number]> {
  const { key, ref, name, archivedAt } = app.record
  const presence = await presenceOf(ctx, key)
  const channels = [...app.channels.values()].map((channel) =>
    showChannel(
      channel,
      presence.channel(channel.record.name),
      recent.get(channel.record.key) ?? NO_RECENT_DEVICES,
    ),
  )
  return { ref, name, archived: archivedAt !== null, channels }
}

function showChannel(
  channel: CatalogChannel,
  seen: ChannelSummary | undefined,
  recent: RecentDevices,
): ChannelOverview {
  const { published, releases } = channel.compiled
  const live = liveReleases(published).map((release) => showLive(release, recent))
  return {
    name: channel.record.name,
    releases: releases.length,
    live,
    devices: seen?.devices ?? 0,
    seenLast24Hours: recent.seen['24h'],
    seenLast7Days: recent.seen['7d'],
    shareOnNewest: live[0]?.adoption ?? null,
    checkInsLast24Hours: seen?.last24Hours.checkIns ?? 0,
  }
}

/**
 * Returns the releases that devices can be offered, highest version first, of releases in ascending order.
 * Ends at the first release for all devices, because no lower one is offered; a release without artifacts
 * is offered to none.
 */
function liveReleases(published: readonly ServedRelease[]): ServedRelease[] {
  const offered = published.filter(({ facts }) => facts.artifacts.length > 0).reverse()
  const forAll = offered.findIndex(
    ({ facts, targets }) => facts.rolloutPct === 100 && targets === null,
  )
  return forAll === -1 ? offered : offered.slice(0, forAll + 1)
}

function showLive(release: ServedRelease, recent: RecentDevices): LiveRelease {
  const { version, status, rolloutPct } = release.facts
  const devices = recent.byVersion.get(version) ?? 0
  const all = recent.seen['7d']
  const targeted = release.targets !== null
  const adoption = all === 0 ? null : devices / all
  return { version, status, rolloutPct, targeted, devices, adoption }
}
