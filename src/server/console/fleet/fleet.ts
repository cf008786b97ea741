import { setTimeout as rest } from 'node:timers/promises'
import { z } from 'zod'
import { pull } from '../../../shared/console/bridge/pull.ts'
import {
  Dashboard,
  DashboardInput,
  FleetScope,
  LIVE_BATCH,
  LiveBatch,
  type LiveCheckIn,
  VERSION_COLORS,
  VersionColors,
} from '../../../shared/console/fleet.ts'
import { AppRef } from '../../../shared/names.ts'
import { requireChannel } from '../../catalog/catalog.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import type { FleetEvent, LiveFeed } from '../../fleet/ingest/live-feed.ts'
import { findApp } from '../../use-cases/principal.ts'
import { procedure, router } from '../trpc.ts'
import { dashboardOf } from './fleet-dashboard.ts'

/** The fleet's screen: who runs what, and check-ins as they happen. */
export const fleetRoutes = router({
  dashboard: procedure
    .input(DashboardInput)
    .output(Dashboard)
    .query(({ ctx, input }) => dashboardOf(ctx, input, ctx.catalog.now())),

  colors: procedure
    .input(z.strictObject({ app: AppRef }))
    .output(VersionColors)
    .query(({ ctx, input }) => {
      const app = findApp(ctx.catalog.snapshot, ctx.principal, input.app, 'viewer')
      return Object.fromEntries(versionColors(publicationsOf(app)))
    }),

  live: procedure.input(FleetScope).subscription(({ ctx, input, signal }) => {
    const app = findApp(ctx.catalog.snapshot, ctx.principal, input.app, 'viewer')
    if (input.channel !== undefined) requireChannel(app, input.channel)
    const nameOf = (channelKey: number) => {
      // Looked up with every check-in: a channel may be created while someone watches.
      const { record } = ctx.catalog.snapshot.channelByKey.get(channelKey) ?? {}
      if (record === undefined || record.appKey !== app.record.key) return undefined
      return input.channel === undefined || input.channel === record.name ? record.name : undefined
    }
    return liveBatches(ctx.fleet.feed, nameOf, signal)
  }),
})

function publicationsOf(app: CatalogApp): Publication[] {
  return [...app.channels.values()].flatMap(({ record, compiled }) =>
    compiled.releases.map(({ facts }) => ({
      channel: record.name,
      version: facts.version,
      at: facts.createdAt,
    })),
  )
}

/** A version that became a release of a channel. */
export interface Publication {
  readonly channel: string
  readonly version: string
  /** ISO 8601, UTC. */
  readonly at: string
}

/** Releases of a channel in a row that have different colors, whatever happens on up to two other channels. */
export const DISTINCT_IN_CHANNEL = 4

/** Releases of a channel that a new one is compared with: one fewer than there are colors. */
const COMPARED = VERSION_COLORS - 1

/**
 * Returns the color of each version, an index below `VERSION_COLORS`, from all publications of an app in any order.
 *
 * The latest releases of a channel differ: always `DISTINCT_IN_CHANNEL` in a row, and in general as many as there
 * are colors. A new release never changes the color of another version. A version that reaches a further channel
 * keeps its own, unless one of the latest releases there has it.
 */
export function versionColors(publications: readonly Publication[]): Map<string, number> {
  const colors = new Map<string, number>()
  const channels = new Map<string, string[]>()
  const usedAt = new Array<number>(VERSION_COLORS).fill(-1)
  for (const [time, { channel, version }] of inOrder(publications).entries()) {
    const before = channels.get(channel) ?? []
    channels.set(channel, [version, ...before].slice(0, COMPARED + 1))
    const known = colors.get(version)
    const near = before.slice(0, DISTINCT_IN_CHANNEL - 1).map((other) => colors.get(other))
    const color = known !== undefined && !near.includes(known) ? known : choose()
    colors.set(version, color)
    usedAt[color] = time

    /** The color that the releases around the version use least, and of those the one that rested longest. */
    function choose(): number {
      const cost = new Array<number>(VERSION_COLORS).fill(0)
      for (const latest of channels.values()) {
        const place = latest.indexOf(version)
        if (place === -1) continue
        for (const [index, other] of latest.entries()) {
          const used = colors.get(other)
          if (other === version || used === undefined) continue
          cost[used] = (cost[used] ?? 0) + costAt(Math.abs(index - place))
        }
      }
      return cost
        .map((sum, index) => ({ sum, index, rested: usedAt[index] ?? -1 }))
        .reduce((best, one) =>
          one.sum < best.sum || (one.sum === best.sum && one.rested < best.rested) ? one : best,
        ).index
    }
  }
  return colors
}

/** What it costs to share a color with a release that many places away. */
function costAt(distance: number): number {
  return distance < DISTINCT_IN_CHANNEL ? 1_000 : 1 / distance
}

function inOrder(publications: readonly Publication[]): Publication[] {
  return publications.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** Milliseconds between two batches: at most four a second. */
const PAUSE = 250

/**
 * Yields check-ins as they happen, in batches, until `signal` is aborted; the first batch, at once, is
 * empty. `channelName` returns the channel of a check-in that is wanted, undefined for the others. Holds
 * the latest check-ins of one batch and a count, however slowly it is read, and nothing once it has ended.
 */
export async function* liveBatches(
  feed: LiveFeed,
  channelName: (channelKey: number) => string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<LiveBatch, void> {
  // Shown when they are sent: of a busy fleet most are left out, on the thread that answers checks.
  let waiting: Waiting[] = []
  let leftOut = 0
  let isFirst = true
  const listen = (wake: () => void) =>
    feed.subscribe((event) => {
      const channel = channelName(event.channelKey)
      if (channel === undefined) return
      leftOut += event.leftOut ?? 0
      waiting.push({ event, channel })
      if (waiting.length > LIVE_BATCH) {
        waiting.shift()
        leftOut++
      }
      wake()
    })
  const take = () => {
    if (waiting.length === 0 && !isFirst) return []
    const batch = LiveBatch.parse({ checkIns: waiting.reverse().map(showCheckIn), leftOut })
    waiting = []
    leftOut = 0
    isFirst = false
    return [batch]
  }
  for await (const batch of pull(signal, listen, take)) {
    yield batch
    if (batch.checkIns.length > 0)
      await rest(PAUSE, undefined, { signal, ref: false }).catch(() => {})
  }
}

interface Waiting {
  readonly event: FleetEvent
  readonly channel: string
}

function showCheckIn({ event, channel }: Waiting): LiveCheckIn {
  const { sequence, deviceId, version, platform, arch, source, reason } = event
  const at = new Date(event.at).toISOString()
  return { sequence, at, channel, deviceId, version, platform, arch, source, reason }
}
