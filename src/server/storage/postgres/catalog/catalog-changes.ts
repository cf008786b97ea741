import type { CatalogChanges } from '../../../catalog/store.ts'
import type { Queries } from '../connection/database.ts'
import { allApps, allChannels, allKeys, catalogRevision } from './records.ts'
import { releasesSince } from './releases.ts'

/** Finds what was committed to the catalog since a revision. */
export class CatalogChangeReader {
  /** The channels as last returned: releases carry the revision of their channel. */
  #answered = { revision: 0, channels: new Map<number, number>() }

  /** What changed after `revision`; all releases if that is not the revision of the last call. `queries`: one snapshot. */
  async since(queries: Queries, revision: number): Promise<CatalogChanges> {
    const { revision: last, channels: answered } = this.#answered
    const current = await catalogRevision(queries)
    const [apps, channels] = [await allApps(queries), await allChannels(queries)]
    const keys = await allKeys(queries)
    const changed = channels
      .map(({ key, revision: now }) => {
        return { key, now, known: revision === last ? (answered.get(key) ?? 0) : 0 }
      })
      .filter(({ now, known }) => now !== known)
    const known = new Map(changed.map((channel) => [channel.key, channel.known]))
    const releases = await releasesSince(queries, known)
    const seen = new Map(channels.map((channel) => [channel.key, channel.revision]))
    this.#answered = { revision: current, channels: seen }
    return { revision: current, apps, channels, keys, releases }
  }
}
