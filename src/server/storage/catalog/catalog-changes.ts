import type { CatalogChanges } from '../../catalog/store.ts'
import type { Connection } from '../sqlite/database.ts'
import type { CatalogReader } from './catalog-reader.ts'

/** Finds what was committed to the catalog since a revision, on one connection, synchronous. */
export class CatalogChangeReader {
  readonly #reader: CatalogReader
  readonly #since: (revision: number) => CatalogChanges
  #seen: { dataVersion: number; revision: number } | undefined
  /** The channels as last returned: releases carry the revision of their channel. */
  #answered: { revision: number; channels: ReadonlyMap<number, number> } = NOTHING

  constructor(database: Connection, reader: CatalogReader) {
    this.#reader = reader
    // One transaction, so that apps, channels, keys and releases are consistent.
    this.#since = database.transaction((revision: number) => this.#read(revision))
  }

  /** The committed revision. Takes microseconds if nothing was committed since the last call. */
  revision(): number {
    // Any commit of any connection changes the data version, and telemetry commits all the time, so the
    // revision is compared as well. In this order, a commit in between is seen next time.
    const dataVersion = this.#reader.dataVersion()
    if (this.#seen?.dataVersion !== dataVersion) {
      this.#seen = { dataVersion, revision: this.#reader.revision() }
    }
    return this.#seen.revision
  }

  /** What changed after `revision`; all releases if that is not the revision of the last call. */
  since(revision: number): CatalogChanges | null {
    if (this.revision() === revision) return null
    const changes = this.#since(revision)
    const channels = new Map(changes.channels.map((channel) => [channel.key, channel.revision]))
    this.#answered = { revision: changes.revision, channels }
    return changes
  }

  #read(since: number): CatalogChanges {
    const reader = this.#reader
    const known = since === this.#answered.revision ? this.#answered.channels : NOTHING.channels
    const [revision, apps, channels] = [reader.revision(), reader.apps(), reader.channels()]
    const releases = channels.flatMap(({ key, revision: current }) => {
      const before = known.get(key) ?? 0
      return before === current ? [] : reader.releasesOf(key, before)
    })
    return { revision, apps, channels, keys: reader.keys(), releases }
  }
}

const NOTHING = { revision: 0, channels: new Map<number, number>() }
