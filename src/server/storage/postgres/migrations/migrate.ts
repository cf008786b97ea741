import type { UpgradePlan } from '../../interface/engine.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import type { Queries, Transaction } from '../connection/queries.ts'
import { liveHolder } from '../nodes/live-nodes.ts'
import { MIGRATIONS, type Migration, SCHEMA } from './index.ts'
import { usableState } from './usable-state.ts'

/** Of the lock that keeps nodes that start at the same time from migrating twice: the bytes of "tide". */
const LOCK = 0x74696465
/** Milliseconds that a node waits for another one that migrates. */
const LOCK_TIME = 300_000
/** The first migration with nodes. */
const WITH_NODES = 3

const SQL = {
  lock: 'SELECT pg_advisory_xact_lock($1)',
  create: `CREATE TABLE tidegate_schema (
    number integer PRIMARY KEY,
    name text NOT NULL,
    readable_from integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  // Nodes of a version that could not go on afterwards.
  older: `SELECT count(*) AS nodes FROM nodes JOIN leases ON node = id
    WHERE ended_at IS NULL AND lease_until > clock_timestamp() AND schema < $1`,
  applied: 'INSERT INTO tidegate_schema (number, name, readable_from) VALUES ($1, $2, $3)',
} as const

/**
 * Applies what is missing, in one transaction, while other nodes that start wait. Returns the migration before and after.
 * Rejects as `usableState`, and with `outdated` while nodes run that could not go on; then nothing is changed.
 */
export async function migrate(
  database: PostgresDatabase,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<{ readonly from: number; readonly to: number }> {
  return await database.transaction(
    async (tx) => {
      await tx.run(SQL.lock, [LOCK])
      const known = migrations.length
      const { number: from } = await usableState(tx, known)
      const missing = migrations.slice(from)
      for (const migration of missing) await apply(tx, migration, from >= WITH_NODES)
      return { from, to: Math.max(from, known) }
    },
    { lockTime: LOCK_TIME },
  )
}

async function apply(
  tx: Transaction,
  { number, name, readableFrom = 1, sql }: Migration,
  isServed: boolean,
): Promise<void> {
  if (number === 1) await tx.run(SQL.create)
  if (isServed) {
    const older = await tx.row<{ nodes: number }>(SQL.older, [readableFrom])
    if (older !== undefined && older.nodes > 0) {
      const { nodes } = older
      throw new StorageError({
        code: 'outdated',
        file: tx.location,
        circumstance: { kind: 'older_nodes', nodes },
      })
    }
  }
  await tx.run(sql)
  await tx.run(SQL.applied, [number, name, readableFrom])
}

/** Returns what `migrate` would do. Changes nothing. Rejects as `usableState`. */
export async function planUpgrade(queries: Queries): Promise<UpgradePlan> {
  const { number: from } = await usableState(queries)
  const holder = from < WITH_NODES ? undefined : await liveHolder(queries)
  return {
    file: queries.location,
    ...{ from, to: Math.max(from, SCHEMA) },
    ...{ copy: null, neededBytes: 0, freeBytes: undefined },
    isInUse: holder !== undefined,
    holder: holder === undefined ? null : { pid: holder.pid, address: holder.address },
  }
}
