import {
  type ChannelOverview,
  type LiveRelease,
  Overview,
} from '../../../shared/console/overview.ts'
import type { CatalogApp, CatalogChannel, ServedRelease } from '../../catalog/snapshot.ts'
import type { ChannelTotals } from '../../fleet/facts.ts'
import { visibleApps } from '../../updates/principal.ts'
import { reachableAddresses } from '../apps/addresses.ts'
import { channelTotalsOf, type TotalsByChannel } from '../channel-totals.ts'
import { procedure, router } from '../context.ts'
import {
  NO_RECENT_DEVICES,
  type RecentCounts,
  type RecentDevices,
} from '../fleet/recent-devices.ts'
import { attentionOf } from './attention.ts'

/**
 * The first screen: what is live where, from the compiled catalog, the counters and the devices. What concerns the
 * whole server is for those who have a role on it.
 */
export const overviewRoutes = router({
  get: procedure.output(Overview).query(async ({ ctx }) => {
    const { catalog, principal } = ctx
    const apps = visibleApps(catalog.snapshot, principal)
    const { lost, failure, budgets } = ctx.fleet.health
    const seesServer = principal.access.server !== null
    const [recent, totals] = await Promise.all([ctx.recentDevices.get(), channelTotalsOf(ctx)])
    return {
      addresses: reachableAddresses(ctx.address),
      apps: apps.map((app) => showApp(app, recent, totals)),
      attention: attentionOf(apps, recent, totals),
      telemetry: seesServer ? { lost, failure } : null,
      budgets: seesServer ? [...budgets] : [],
    }
  }),
})

function showApp(
  app: CatalogApp,
  recent: RecentCounts,
  totals: TotalsByChannel,
): Overview['apps'][number] {
  const { ref, name, archivedAt } = app.record
  const channels = [...app.channels.values()].map((channel) => {
    const { key } = channel.record
    return showChannel(channel, totals.get(key), recent.get(key) ?? NO_RECENT_DEVICES)
  })
  return { ref, name, archived: archivedAt !== null, channels }
}

function showChannel(
  channel: CatalogChannel,
  totals: ChannelTotals | undefined,
  recent: RecentDevices,
): ChannelOverview {
  const { published, releases } = channel.compiled
  const live = liveReleases(published).map((release) => showLive(release, recent))
  return {
    name: channel.record.name,
    releases: releases.length,
    live,
    devices: totals?.devices ?? 0,
    seenLast24Hours: recent.seen['24h'],
    seenLast7Days: recent.seen['7d'],
    shareOnNewest: live[0]?.adoption ?? null,
    checkInsLast24Hours: totals?.checkIns ?? 0,
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
