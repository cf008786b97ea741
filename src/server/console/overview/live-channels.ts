import type { ChannelOverview, LiveRelease, Overview } from '../../../shared/console/overview.ts'
import type { ReleaseHealth } from '../../../shared/health/health.ts'
import {
  type CatalogApp,
  type CatalogChannel,
  liveReleases,
  type ServedRelease,
} from '../../catalog/snapshot.ts'
import { activeChannels } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'
import {
  NO_RECENT_DEVICES,
  type RecentCounts,
  type RecentDevices,
} from '../fleet/recent-devices.ts'
import { shareUpToDate, type TotalsByChannel } from '../fleet/up-to-date.ts'

/** Most releases in a rollout whose health is read at once. */
const MAX_HEALTHS = 50

type HealthByRelease = ReadonlyMap<string, ReleaseHealth>

/** Returns what became of the devices that were offered releases which are only in part rolled out, by the id of the release. */
export async function rolloutHealth(
  { catalog, fleet }: Pick<ConsoleContext, 'catalog' | 'fleet'>,
  apps: readonly CatalogApp[],
): Promise<HealthByRelease> {
  const now = catalog.now()
  const releases = activeChannels(apps)
    .flatMap(({ compiled }) => liveReleases(compiled.published))
    .filter(({ facts: { rolloutPct } }) => rolloutPct > 0 && rolloutPct < 100)
    .slice(0, MAX_HEALTHS)
  const counted = await Promise.all(
    releases.map(async ({ facts: { id } }) => [id, await fleet.releaseHealth(id, now)] as const),
  )
  return new Map(counted.flatMap(([id, found]) => (found === null ? [] : [[id, found.health]])))
}

interface Counted {
  readonly recent: RecentCounts
  readonly totals: TotalsByChannel
  readonly health: HealthByRelease
}

/** Returns an app with what each of its channels offers now. */
export function showApp(app: CatalogApp, counted: Counted): Overview['apps'][number] {
  const { ref, name, archivedAt } = app.record
  const channels = [...app.channels.values()].map((channel) => showChannel(channel, counted))
  return { ref, name, archived: archivedAt !== null, channels }
}

function showChannel(
  channel: CatalogChannel,
  { recent: all, totals, health }: Counted,
): ChannelOverview {
  const { key, name } = channel.record
  const { published, releases } = channel.compiled
  const recent = all.get(key) ?? NO_RECENT_DEVICES
  const live = liveReleases(published).map((release) => showLive(release, recent, health))
  const { devices = 0, checkIns = 0 } = totals.get(key) ?? {}
  return {
    name,
    releases: releases.length,
    live,
    devices,
    seenLast24Hours: recent.seen['24h'],
    seenLast7Days: recent.seen['7d'],
    shareUpToDate: shareUpToDate([{ channel, recent }]),
    checkInsLast24Hours: checkIns,
  }
}

function showLive(
  release: ServedRelease,
  recent: RecentDevices,
  healths: HealthByRelease,
): LiveRelease {
  const { id, version, status, rolloutPct } = release.facts
  const devices = recent.byVersion.get(version) ?? 0
  const all = recent.seen['7d']
  const targeted = release.targets !== null
  const adoption = all === 0 ? null : devices / all
  const health = healths.get(id) ?? null
  return { version, status, rolloutPct, targeted, devices, adoption, health }
}
