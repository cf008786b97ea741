import type { ReleaseRecord } from '../../catalog/records.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { CountedRelease, HealthReads } from '../../fleet/health/facts.ts'

/** Releases of a channel among which the previous one is looked for. */
const LOOKED_AT = 20

/**
 * Returns the previous release of a channel: the one that devices would be on without this one, which makes it what this
 * one is compared with. That is the highest lower release that is published and was offered earlier. The server offers
 * the highest version that fits, so a fix of an older version that came out in between is not it, nor is a later
 * release. One that was paused or rolled back is offered to nobody, most often because it failed: what became of its devices
 * is no example of what is usual. Undefined if there is none.
 */
export function previousRelease(
  { compiled }: CatalogChannel,
  releaseId: string,
  wasOfferedEarlier: (release: ReleaseRecord) => boolean,
): ReleaseRecord | undefined {
  const index = compiled.releases.findIndex(({ facts }) => facts.id === releaseId)
  const lower = compiled.releases.slice(0, Math.max(0, index)).map(({ facts }) => facts)
  return lower.findLast((facts) => facts.status === 'published' && wasOfferedEarlier(facts))
}

/** What became of the devices that were offered a release, and of those that were offered the previous one. */
export interface CountedPair {
  /** Null if no device was offered it. */
  readonly own: CountedRelease | null
  readonly previous: CountedRelease | null
}

/** Reads the counters of a release and of the previous one, by the times of their first offers. `now`: Unix ms. */
export async function countedPair(
  fleet: Pick<HealthReads, 'channelHealth' | 'releaseHealth'>,
  channel: CatalogChannel,
  releaseId: string,
  now: number,
): Promise<CountedPair> {
  const query = { channelKey: channel.record.key, now, limit: LOOKED_AT }
  const offered = await fleet.channelHealth(query)
  const index = offered.findIndex(({ id }) => id === releaseId)
  const own = offered[index]
  if (own === undefined) return { own: await fleet.releaseHealth(releaseId, now), previous: null }
  const earlier = new Map(offered.slice(index + 1).map((counted) => [counted.id, counted]))
  const previous = previousRelease(channel, releaseId, ({ id }) => earlier.has(id))
  return { own, previous: (previous && earlier.get(previous.id)) ?? null }
}
