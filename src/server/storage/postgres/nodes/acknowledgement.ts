import { setTimeout as delay } from 'node:timers/promises'
import type { Queries } from '../connection/queries.ts'
import type { ServedPart } from './registration.ts'

/** Milliseconds between two looks: at first, then twice as long each time, up to the last. */
const [FIRST_INTERVAL, LAST_INTERVAL] = [3, 50]

interface Statements {
  /** The nodes that have a lease and do not serve the revision. */
  readonly behind: string
  /** Takes leases that are over, so that a renewal at this moment cannot go on with them. */
  readonly revoke: string
}

const SQL: Readonly<Record<ServedPart, Statements>> = {
  catalog: statements('catalog_revision'),
  people: statements('people_revision'),
}

/**
 * Waits until no node serves anything older than a committed revision: every other node serves it or a newer one, or its
 * lease is over. Returns false when that takes longer than `within` milliseconds. Rejects with `StorageError`.
 */
export async function served(
  queries: Queries,
  part: ServedPart,
  revision: number,
  within: number,
): Promise<boolean> {
  const end = performance.now() + within
  for (let rest = FIRST_INTERVAL; ; rest = Math.min(2 * rest, LAST_INTERVAL)) {
    if (await isServed(queries, SQL[part], revision)) return true
    const left = end - performance.now()
    if (left <= 0) return false
    await delay(Math.min(left, rest))
  }
}

async function isServed(
  queries: Queries,
  { behind, revoke }: Statements,
  revision: number,
): Promise<boolean> {
  const counts = await queries.row<{ all: number; lapsed: number }>(behind, [revision])
  const { all, lapsed } = counts ?? { all: 0, lapsed: 0 }
  if (all === 0) return true
  if (lapsed < all) return false
  return (await queries.run(revoke, [revision])) === all
}

function statements(column: 'catalog_revision' | 'people_revision'): Statements {
  return {
    behind: `SELECT count(*) AS "all", count(*) FILTER (WHERE lease_until <= clock_timestamp()) AS lapsed
      FROM leases WHERE ${column} < $1 AND lease_until IS NOT NULL`,
    revoke: `UPDATE leases SET lease_until = NULL
      WHERE ${column} < $1 AND lease_until <= clock_timestamp()`,
  }
}
