import { StorageError } from '../../interface/storage-error.ts'
import type { PostgresDatabase, Queries, Transaction } from '../connection/database.ts'
import { refuseMoving } from '../move/move-lock.ts'
import { MIGRATIONS, type Migration, SCHEMA } from './index.ts'

/** Of the lock that keeps nodes that start at the same time from migrating twice: the bytes of "tide". */
const LOCK = 0x74696465
/** Milliseconds that a node waits for another one that migrates. */
const LOCK_TIME = 300_000

const SQL = {
  lock: 'SELECT pg_advisory_xact_lock($1)',
  exists: "SELECT to_regclass('tidegate_schema') IS NOT NULL AS there",
  create: `CREATE TABLE tidegate_schema (
    number integer PRIMARY KEY,
    name text NOT NULL,
    readable_from integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  state: `SELECT coalesce(max(number), 0) AS number, coalesce(max(readable_from), 0) AS "readableFrom"
    FROM tidegate_schema`,
  // Nodes of a version that could not go on afterwards.
  older: `SELECT count(*) AS nodes FROM nodes JOIN leases ON node = id
    WHERE ended_at IS NULL AND lease_until > clock_timestamp() AND schema < $1`,
  applied: 'INSERT INTO tidegate_schema (number, name, readable_from) VALUES ($1, $2, $3)',
} as const

export interface SchemaState {
  /** The newest migration; 0 if there is none. */
  readonly number: number
  /** What a program must know at least. */
  readonly readableFrom: number
}

/** Returns what is applied. Rejects with `StorageError`. */
export async function schemaState(queries: Queries): Promise<SchemaState> {
  const found = await queries.row<{ there: boolean }>(SQL.exists)
  const none = { number: 0, readableFrom: 0 }
  if (found?.there !== true) return none
  return (await queries.row<SchemaState>(SQL.state)) ?? none
}

/**
 * Applies what is missing, in one transaction, while other nodes that start wait. Returns the migration before and after.
 * Rejects with `moving` if a move that fills the database has not ended, with `newer_database` if this program is too old for the database, and with `outdated` while nodes run that could
 * not go on; then nothing is changed.
 */
export async function migrate(
  database: PostgresDatabase,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<{ readonly from: number; readonly to: number }> {
  return await database.transaction(
    async (tx) => {
      await tx.run(SQL.lock, [LOCK])
      const { number: from, readableFrom } = await schemaState(tx)
      const known = migrations.length
      requireKnownSchema(tx, { number: from, readableFrom }, known)
      await refuseMoving(tx)
      const missing = migrations.slice(from)
      for (const migration of missing) await apply(tx, migration, from > 0)
      return { from, to: Math.max(from, known) }
    },
    { lockTime: LOCK_TIME },
  )
}

async function apply(
  tx: Transaction,
  { number, name, readableFrom, sql }: Migration,
  isServed: boolean,
): Promise<void> {
  if (number === 1) await tx.run(SQL.create)
  if (isServed) {
    const older = await tx.row<{ nodes: number }>(SQL.older, [readableFrom])
    if (older !== undefined && older.nodes > 0) {
      throw new StorageError({
        code: 'outdated',
        file: tx.location,
        detail: `${older.nodes} nodes of an older version run`,
      })
    }
  }
  await tx.run(sql)
  await tx.run(SQL.applied, [number, name, readableFrom])
}

/** Throws `StorageError` `newer_database` if a program with so many migrations is too old for the database. */
export function requireKnownSchema(
  { location }: Queries,
  { readableFrom: found }: SchemaState,
  known: number = SCHEMA,
): void {
  if (found <= known) return
  const circumstance = { kind: 'schema', found, known } as const
  throw new StorageError({ code: 'newer_database', file: location, circumstance })
}
