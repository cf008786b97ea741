import type { CatalogChanges } from '../../catalog/store.ts'
import { recordReads } from './records.ts'
import { releasesSince } from './releases.ts'
import type { Questions } from './statements.ts'

/** Finds what was committed to the catalog since a revision. */
export class CatalogChangeReader {
  /** The channels as last returned: releases carry the revision of their channel. */
  #answered = { revision: 0, channels: new Map<number, number>() }

  /** What changed after `since`; all releases if that is not the revision of the last call. `questions`: one snapshot. */
  async read(questions: Questions, since: number): Promise<CatalogChanges> {
    const answered = since === this.#answered.revision ? this.#answered.channels : new Map()
    const records = recordReads(questions)
    const revision = await records.revision()
    const [apps, channels] = [await records.apps(), await records.channels()]
    const keys = await records.keys()
    const known = channels
      .filter((channel) => channel.revision !== answered.get(channel.key))
      .map(({ key: channel }) => ({ channel, revision: answered.get(channel) ?? 0 }))
    const releases = await releasesSince(questions, known)
    const seen = new Map(channels.map((channel) => [channel.key, channel.revision]))
    this.#answered = { revision, channels: seen }
    return { revision, apps, channels, keys, releases }
  }
}
