import { hash } from 'node:crypto'
import {
  type AttemptStore,
  type Counted,
  retrySecondsOf,
} from '../../../people/sign-in/attempts.ts'
import type { Queries } from '../connection/database.ts'

/** Milliseconds between two times that a node deletes what counts no longer. */
const CLEAN_UP_INTERVAL = 60_000
/** Rows that are kept then: with more, what ends first is forgotten. */
const MAX_ROWS = 100_000

/** Whether an attempt is too many. Tolerates rounding by a thousandth of an attempt. */
const IS_REFUSED = `greatest(known.full_at, statement_timestamp())
  + (excluded.full_at - statement_timestamp()) * 0.999
  > statement_timestamp() + excluded.period * interval '1 millisecond'`

const SQL = {
  // In the order of their names, so that two nodes never wait for each other.
  take: `INSERT INTO sign_in_attempts AS known (name, full_at, period, refused)
    SELECT name, statement_timestamp() + cost * interval '1 millisecond', period, false
    FROM unnest($1::text[], $2::float8[], $3::float8[]) AS taken (name, cost, period)
    ORDER BY name COLLATE "C"
    ON CONFLICT (name) DO UPDATE SET
      refused = ${IS_REFUSED},
      full_at = CASE WHEN ${IS_REFUSED} THEN known.full_at
        ELSE greatest(known.full_at, statement_timestamp())
          + (excluded.full_at - statement_timestamp()) END
    RETURNING name, refused,
      extract(epoch FROM full_at - statement_timestamp()) * 1000 AS missing`,
  giveBack: `UPDATE sign_in_attempts AS known
    SET full_at = full_at - locked.cost * interval '1 millisecond'
    FROM (
      SELECT name, cost FROM sign_in_attempts
      JOIN unnest($1::text[], $2::float8[]) AS given (name, cost) USING (name)
      ORDER BY name FOR UPDATE OF sign_in_attempts
    ) AS locked
    WHERE known.name = locked.name`,
  forget: `DELETE FROM sign_in_attempts WHERE name IN (
      SELECT name FROM sign_in_attempts
      WHERE name = ANY ($1::text[]) AND full_at <= statement_timestamp()
      FOR UPDATE SKIP LOCKED
    )`,
  cleanUp: `DELETE FROM sign_in_attempts WHERE name IN (
      SELECT name FROM sign_in_attempts WHERE full_at <= statement_timestamp()
      FOR UPDATE SKIP LOCKED
    )`,
  bound: `DELETE FROM sign_in_attempts WHERE name IN (
      SELECT name FROM sign_in_attempts ORDER BY full_at DESC
      OFFSET ${MAX_ROWS} FOR UPDATE SKIP LOCKED
    )`,
} as const

interface Taken {
  readonly name: string
  readonly refused: boolean
  /** Milliseconds until nothing counts any more. */
  readonly missing: number
}

/**
 * Attempts that all nodes count, by the clock of the database. An attempt that is refused, or given back, leaves no row of
 * its own: who is refused cannot make the table grow.
 */
export class PostgresAttempts implements AttemptStore {
  readonly #queries: Queries
  #cleanedUpAt = performance.now()

  constructor(queries: Queries) {
    this.#queries = queries
  }

  async take(counted: readonly Counted[]): Promise<number> {
    const rows = await this.#queries.rows<Taken>(SQL.take, [
      counted.map(nameOf),
      counted.map(costOf),
      counted.map(({ limit }) => limit.period),
    ])
    const taken = new Map(rows.map((row) => [row.name, row]))
    const refused = counted.find((one) => taken.get(nameOf(one))?.refused)
    if (refused === undefined) {
      await this.#cleanUp()
      return 0
    }
    await this.giveBack(counted.filter((one) => !taken.get(nameOf(one))?.refused))
    return retrySecondsOf(refused.limit, taken.get(nameOf(refused))?.missing ?? 0)
  }

  async giveBack(counted: readonly Counted[]): Promise<void> {
    if (counted.length === 0) return
    const names = counted.map(nameOf)
    await this.#queries.run(SQL.giveBack, [names, counted.map(costOf)])
    await this.#queries.run(SQL.forget, [names])
  }

  async #cleanUp(): Promise<void> {
    if (performance.now() - this.#cleanedUpAt < CLEAN_UP_INTERVAL) return
    this.#cleanedUpAt = performance.now()
    await this.#queries.run(SQL.cleanUp)
    await this.#queries.run(SQL.bound)
  }
}

function nameOf({ limit, key }: Counted): string {
  return `${limit.name}:${hash('sha256', key, 'hex')}`
}

function costOf({ limit }: Counted): number {
  return limit.period / limit.capacity
}
