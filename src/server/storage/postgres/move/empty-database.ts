import { MoveError } from '../../interface/moves.ts'
import { MOVED_TABLES, NOT_MOVED, STATE_TABLES } from '../../move/tables.ts'
import type { PostgresDatabase, Queries } from '../connection/database.ts'
import { dropPartitions } from '../fleet/upkeep/partitions.ts'

/** The tables that a move fills. */
export const MOVED: readonly string[] = [...MOVED_TABLES, ...STATE_TABLES, 'device_labels']

const SQL = {
  // Neither partitions nor what belongs to an extension.
  foreign: `SELECT relname::text AS name FROM pg_class c
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'f')
      AND NOT relispartition AND relname <> ALL ($1::text[])
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'e')
    ORDER BY relname LIMIT 1`,
  lock: 'ALTER TABLE audit DISABLE TRIGGER audit_never_emptied',
  unlock: 'ALTER TABLE audit ENABLE TRIGGER audit_never_emptied',
  empty: `TRUNCATE ${[...MOVED_TABLES, 'device_labels'].join(', ')} RESTART IDENTITY`,
  states: `UPDATE catalog_state SET revision = 0; UPDATE people_state SET revision = 1;
    UPDATE outbox_state SET audit_cursor = 0, mail_since = NULL, alarms = '[]', revision = 1`,
} as const

/** Rejects with `MoveError` `foreign` if the schema has a table of another program. */
export async function requireOwnTables(queries: Queries): Promise<void> {
  const own = [...MOVED, ...NOT_MOVED.postgres]
  const found = await queries.row<{ name: string }>(SQL.foreign, [own])
  if (found === undefined) return
  throw new MoveError({ kind: 'foreign', place: queries.location, table: found.name })
}

/** Rejects with `MoveError` `not_empty` if anything is stored in a prepared database. */
export async function requireEmpty(queries: Queries): Promise<void> {
  for (const table of MOVED_TABLES) {
    const row = await queries.row<{ there: boolean }>(
      `SELECT EXISTS (SELECT FROM ${table}) AS there`,
    )
    if (row?.there === false) continue
    throw new MoveError({ kind: 'not_empty', place: queries.location, table })
  }
}

/** Removes everything that a move has stored. `last`: a statement of the same transaction. */
export async function emptyAgain(database: PostgresDatabase, last: string): Promise<void> {
  await dropPartitions(database, Number.POSITIVE_INFINITY)
  await database.transaction(async (tx) => {
    await tx.run(SQL.lock)
    await tx.run(SQL.empty)
    await tx.run(SQL.unlock)
    await tx.run(SQL.states)
    await tx.run(last)
  })
}
