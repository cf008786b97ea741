import { type CatalogChannel, liveReleases } from '../../catalog/snapshot.ts'
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
