import type { LimitStore } from '../../../runtime/limits/shared-buckets.ts'
import type { Queries } from '../connection/queries.ts'

/** Milliseconds between two times that a node deletes what is full for a day. */
const CLEAN_UP_INTERVAL = 3_600_000

const SQL = {
  // In the order of their names, so that two nodes never wait for each other. A bucket is overdrawn by no more than it
  // holds: after a failure that charged too much, requests go on within two periods.
  charge: `INSERT INTO rate_limits AS known (name, full_at)
    SELECT name, statement_timestamp() + used * interval '1 millisecond'
    FROM unnest($1::text[], $2::float8[]) AS charged (name, used) ORDER BY name COLLATE "C"
    ON CONFLICT (name) DO UPDATE SET full_at = least(
      greatest(known.full_at, statement_timestamp()) + (excluded.full_at - statement_timestamp()),
      statement_timestamp() + 2 * $3::float8 * interval '1 millisecond'
    )
    RETURNING name, extract(epoch FROM full_at - clock_timestamp()) * 1000 AS missing`,
  forget: "DELETE FROM rate_limits WHERE full_at < clock_timestamp() - interval '1 day'",
} as const

/** Returns buckets of all nodes, by the clock of the database. */
export function postgresLimits(queries: Queries): LimitStore {
  let cleanedUpAt = performance.now()
  return {
    async charge(charges, period) {
      const names = charges.map(({ name }) => name)
      const used = charges.map((charge) => charge.used)
      type Row = { readonly name: string; readonly missing: number }
      const rows = await queries.rows<Row>(SQL.charge, [names, used, period])
      if (performance.now() - cleanedUpAt >= CLEAN_UP_INTERVAL) {
        cleanedUpAt = performance.now()
        await queries.run(SQL.forget)
      }
      return new Map(rows.map(({ name, missing }) => [name, Math.max(0, missing)]))
    },
  }
}
