import type { Adoption } from '../../../shared/releases/adoption.ts'
import { type Catalog, unknownRelease } from '../../catalog/catalog.ts'
import { type ChannelSummary, type FleetSummary, summarise } from '../../fleet/charts/summary.ts'
import type { FleetReads } from '../../fleet/store.ts'
import { dayOf, hourOf } from '../../fleet/time.ts'
import { type ChannelPlace, findChannel, type Principal } from '../principal.ts'

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

/** Returns how many devices run a release (docs/api.md, "Show the adoption of a release"). Needs the role `viewer`. Throws `unknown`. */
export async function showAdoption(
  parts: PresenceParts,
  principal: Principal,
  { version, ...place }: ChannelPlace & { readonly version: string },
): Promise<Adoption> {
  const { catalog } = parts
  const channel = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const { app, record } = channel
  const release = await catalog.store.release(record.key, version)
  if (release === undefined) throw unknownRelease(channel, version)
  const presence = (await presenceOf(parts, app.key)).channel(record.name)
  const devices = presence?.seenLast7Days ?? 0
  const adopted =
    presence?.versions.find((running) => running.version === version)?.seenLast7Days ?? 0
  return {
    ...{ app: app.ref, channel: record.name, version },
    ...{ status: release.status, rolloutPct: release.rolloutPct },
    ...{ devices, adopted, share: devices === 0 ? null : adopted / devices },
  }
}
