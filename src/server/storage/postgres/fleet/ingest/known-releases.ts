import type { OfferedRelease } from '../../../../fleet/facts.ts'
import type { NumberedRelease } from '../../../shared/batch.ts'
import { OfferedReleases } from '../../../shared/memory/offered-releases.ts'
import type { Queries } from '../../connection/queries.ts'
import { isOpen } from '../removal/closing-channels.ts'

const COLUMNS = `number, release_id AS id, channel_key AS "channelKey", version, offered_at AS "offeredAt"`

const SQL = {
  byNumber: `SELECT ${COLUMNS} FROM offered_releases WHERE number = ANY($1)`,
  byId: `SELECT ${COLUMNS} FROM offered_releases WHERE release_id = ANY($1)`,
  // None of a channel that is gone or going.
  add: `INSERT INTO offered_releases (release_id, channel_key, version, offered_at)
    SELECT offered.id, channels.key, offered.version, at
    FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[]) AS offered (id, channel_key, version, at)
      JOIN channels ON channels.key = offered.channel_key
    WHERE ${isOpen('channels.key')}
    ORDER BY 1 FOR KEY SHARE OF channels ON CONFLICT (release_id) DO NOTHING`,
} as const

/** A release with the time of an offer, in Unix milliseconds. */
export interface Offer {
  readonly release: OfferedRelease
  readonly at: number
}

/** The offered releases that this node has met, by the numbers of the database. */
export class KnownReleases {
  readonly offered = new OfferedReleases()
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Gives releases their numbers, in a transaction of its own. One of a channel that is gone stays unknown. */
  async number(offers: readonly Offer[]): Promise<void> {
    const first = new Map<string, Offer>()
    for (const offer of offers) {
      const { id } = offer.release
      if (this.offered.find(id) === 0 && !first.has(id)) first.set(id, offer)
    }
    if (first.size === 0) return
    const missing = [...first.values()]
    await this.#queries.run(SQL.add, [
      missing.map(({ release }) => release.id),
      missing.map(({ release }) => release.channelKey),
      missing.map(({ release }) => release.version),
      missing.map(({ at }) => at),
    ])
    await this.find([...first.keys()])
  }

  /** Reads releases by their ids. */
  async find(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => this.offered.find(id) === 0)
    if (missing.length > 0) this.#load(await this.#queries.rows(SQL.byId, [missing]))
  }

  /** Reads releases by their numbers. One that was removed stays unknown. */
  async meet(numbers: Iterable<number>): Promise<void> {
    const missing = [...new Set(numbers)].filter(
      (number) => number !== 0 && this.offered.get(number) === undefined,
    )
    if (missing.length > 0) this.#load(await this.#queries.rows(SQL.byNumber, [missing]))
  }

  #load(rows: readonly NumberedRelease[]): void {
    for (const row of rows) this.offered.load(row)
  }
}
