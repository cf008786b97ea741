import { type CatalogChannel, liveReleases } from '../../catalog/snapshot.ts'
import type { ChannelTotals } from '../../fleet/facts.ts'
import { hourOf } from '../../fleet/time.ts'
import type { CommandContext } from '../command-context.ts'
import type { RecentDevices } from './recent-devices.ts'

interface RecentOfChannel {
  readonly channel: CatalogChannel
  readonly recent: RecentDevices
}

/**
 * Returns the share (0 to 1) of the devices seen in 7 days that run a live release of their channel; null without such devices or
 * releases. A release that was just published to a few does not lower it.
 */
export function shareUpToDate(channels: readonly RecentOfChannel[]): number | null {
  let all = 0
  let upToDate = 0
  let isAnyLive = false
  for (const { channel, recent } of channels) {
    all += recent.seen['7d']
    for (const { facts } of liveReleases(channel.compiled.published)) {
      isAnyLive = true
      upToDate += recent.byVersion.get(facts.version) ?? 0
    }
  }
  return isAnyLive && all > 0 ? upToDate / all : null
}

/** By the key of the channel. Channels that nothing was counted for may be left out. */
export type TotalsByChannel = ReadonlyMap<number, ChannelTotals>

/** Counts devices and check-ins of every channel of every app, in one read of the counters. */
export async function channelTotalsOf({
  catalog,
  fleet,
}: Pick<CommandContext, 'catalog' | 'fleet'>): Promise<TotalsByChannel> {
  const totals = await fleet.channelTotals(hourOf(catalog.now()))
  return new Map(totals.map((each) => [each.channelKey, each]))
}
