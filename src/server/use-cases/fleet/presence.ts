import type { Catalog } from '../../catalog/catalog.ts'
import { type ChannelSummary, type FleetSummary, summarise } from '../../fleet/charts/summary.ts'
import type { FleetReads } from '../../fleet/store.ts'
import { dayOf, hourOf } from '../../fleet/time.ts'

/** The devices of an app as the counters have them, committed at most a moment ago. */
export interface AppPresence {
  readonly summary: FleetSummary
  channel(name: string): ChannelSummary | undefined
  /** Devices whose last check-in was with that version. */
  devicesOn(channel: string, version: string): number
}

export interface PresenceParts {
  readonly catalog: Catalog
  readonly fleet: Pick<FleetReads, 'presence' | 'traffic'>
}

/** Counts the devices of an app by channel and version, from the counters. Never looks at devices. */
export async function presenceOf(
  { catalog, fleet }: PresenceParts,
  appKey: number,
): Promise<AppPresence> {
  const now = catalog.now()
  const [versions, traffic] = await Promise.all([
    fleet.presence(appKey, dayOf(now)),
    fleet.traffic(appKey, hourOf(now)),
  ])
  const summary = summarise(versions, traffic)
  const byVersion = new Map(versions.map((cell) => [`${cell.channel} ${cell.version}`, cell]))
  return {
    summary,
    channel: (name) => summary.channels.find(({ channel }) => channel === name),
    devicesOn: (channel, version) => byVersion.get(`${channel} ${version}`)?.devices ?? 0,
  }
}
