import { type Attention, MAX_ATTENTION } from '../../../shared/console/overview.ts'
import type { CatalogApp, CatalogChannel } from '../../catalog/snapshot.ts'
import type { TotalsByChannel } from '../channel-totals.ts'
import type { RecentCounts } from '../fleet/recent-devices.ts'

/** Returns what needs attention of the apps, as `Attention` defines it. Reads what was counted already, not the devices. */
export function attentionOf(
  apps: readonly CatalogApp[],
  recent: RecentCounts,
  totals: TotalsByChannel,
): Pick<Attention, 'withdrawn' | 'moreWithdrawn' | 'silent' | 'moreSilent'> {
  const channels = apps
    .filter(({ record }) => record.archivedAt === null)
    .flatMap((app) => [...app.channels.values()])
  const withdrawn = channels.flatMap((channel) => withdrawnOn(channel, recent))
  const silent = channels.flatMap((channel) => silenceOn(channel, recent, totals))
  return {
    withdrawn: mostDevices(withdrawn),
    moreWithdrawn: Math.max(0, withdrawn.length - MAX_ATTENTION),
    silent: mostDevices(silent),
    moreSilent: Math.max(0, silent.length - MAX_ATTENTION),
  }
}

function withdrawnOn(channel: CatalogChannel, recent: RecentCounts): Attention['withdrawn'] {
  const running = recent.get(channel.record.key)?.byVersion
  if (running === undefined) return []
  return channel.compiled.releases.flatMap(({ facts: { version, status } }) => {
    const devices = running.get(version) ?? 0
    return status === 'published' || devices === 0
      ? []
      : [{ ...placeOf(channel), version, status, devices }]
  })
}

function silenceOn(
  channel: CatalogChannel,
  recent: RecentCounts,
  totals: TotalsByChannel,
): Attention['silent'] {
  const devices = totals.get(channel.record.key)?.devices ?? 0
  const isSeen = (recent.get(channel.record.key)?.seen['7d'] ?? 0) > 0
  const isServed = channel.compiled.published.some(({ facts }) => facts.artifacts.length > 0)
  return devices === 0 || isSeen || !isServed ? [] : [{ ...placeOf(channel), devices }]
}

function placeOf({ app, record }: CatalogChannel) {
  return { app: app.ref, channel: record.name }
}

function mostDevices<Item extends { readonly devices: number }>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => other.devices - one.devices).slice(0, MAX_ATTENTION)
}
