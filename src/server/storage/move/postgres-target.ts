import { MoveError } from '../interface/moves.ts'
import type { PostgresDatabase } from '../postgres/connection/database.ts'
import type { Queries, Transaction } from '../postgres/connection/queries.ts'
import { blockOfCheckIn, blockOfDevice } from '../postgres/fleet/ingest/id-blocks.ts'
import { createPartitions, dropPartitions } from '../postgres/fleet/upkeep/partitions.ts'
import { migrate } from '../postgres/migrations/migrate.ts'
import { isMovedTo } from '../postgres/migrations/move-lock.ts'
import { dayOfId } from './differences.ts'
import { openHeld, postgresReader } from './postgres-reader.ts'
import { requireUnused } from './postgres-source.ts'
import { IDENTITIES, type PostgresWrite, postgresTable } from './postgres-tables.ts'
import type { MoveRecord, MoveTarget, Row, TableProgress } from './side.ts'
import { MOVED_TABLES, type MovedTable, NOT_MOVED, STATE_TABLES } from './tables.ts'

/** The tables that a move fills. */
const MOVED: readonly string[] = [...MOVED_TABLES, ...STATE_TABLES, 'device_labels']

const EMPTY = {
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
    UPDATE outbox_state SET audit_cursor = 0, mail_since = NULL, alarms = '[]', push_key = NULL,
      revision = 1`,
} as const

/** Rejects with `MoveError` `foreign` if the schema has a table of another program. */
async function requireOwnTables(queries: Queries): Promise<void> {
  const own = [...MOVED, ...NOT_MOVED.postgres]
  const found = await queries.row<{ name: string }>(EMPTY.foreign, [own])
  if (found === undefined) return
  throw new MoveError({ kind: 'foreign', place: queries.location, table: found.name })
}

/** Rejects with `MoveError` `not_empty` if anything is stored in a prepared database. */
async function requireEmpty(queries: Queries): Promise<void> {
  for (const table of MOVED_TABLES) {
    const row = await queries.row<{ there: boolean }>(
      `SELECT EXISTS (SELECT FROM ${table}) AS there`,
    )
    if (row?.there === false) continue
    throw new MoveError({ kind: 'not_empty', place: queries.location, table })
  }
}

/** Removes everything that a move has stored. `last`: a statement of the same transaction. */
async function emptyAgain(database: PostgresDatabase, last: string): Promise<void> {
  await dropPartitions(database, Number.POSITIVE_INFINITY)
  await database.transaction(async (tx) => {
    await tx.run(EMPTY.lock)
    await tx.run(EMPTY.empty)
    await tx.run(EMPTY.unlock)
    await tx.run(EMPTY.states)
    await tx.run(last)
  })
}

/** The name under which the record of the move is kept, beside the progress of the tables. */
const RECORD = ''

const SQL = {
  create: 'CREATE TABLE tidegate_move (name text PRIMARY KEY, state text NOT NULL)',
  get: 'SELECT state FROM tidegate_move WHERE name = $1',
  set: `INSERT INTO tidegate_move (name, state) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET state = excluded.state`,
  drop: 'DROP TABLE tidegate_move',
  // Artifacts come after their release, which otherwise closes them.
  open: 'ALTER TABLE artifacts DISABLE TRIGGER artifacts_closed',
  close: `SET CONSTRAINTS ALL IMMEDIATE; ALTER TABLE artifacts ENABLE TRIGGER artifacts_closed`,
  types: `SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = $1`,
  clean: `VACUUM (ANALYZE) ${MOVED.join(', ')}`,
} as const

/**
 * Opens an empty PostgreSQL database that is filled. No node joins it until that has ended. Rejects with `MoveError` `in_use`
 * if another move holds the database, and with `StorageError`.
 */
export function openPostgresTarget(url: string): Promise<MoveTarget> {
  return openHeld(url, (database, holder) => {
    const { endSnapshot, ...reader } = postgresReader(database, holder)
    const typesOf = columnTypes(database)
    return {
      ...reader,
      record: async () =>
        (await isMovedTo(database)) ? await get<MoveRecord>(database, RECORD) : undefined,
      async begin(record) {
        await requireOwnTables(database)
        await migrate(database)
        await requireUnused(database)
        await requireEmpty(database)
        await database.transaction(async (tx) => {
          await tx.run(SQL.create)
          await set(tx, RECORD, record)
        })
      },
      progress: ({ name }) => get<TableProgress>(database, name),
      async write(table, rows, progress) {
        const writes = await Promise.all(
          postgresTable(table).writes.map(async (write) => {
            return { ...write, types: await typesOf(write.table) }
          }),
        )
        await database.transaction(async (tx) => {
          if (table.name === 'check_ins') await createPartitions(tx, daysOf(rows))
          if (table.kind === 'state') for (const row of rows) await update(tx, table, row)
          else await insert(tx, table, writes, rows)
          await set(tx, table.name, progress)
        })
      },
      async finish(given) {
        await endSnapshot()
        // Otherwise the first statements would be planned for empty tables.
        await holder.rows(SQL.clean)
        const blocks = {
          devices: blockOfDevice(given.devices),
          check_ins: blockOfCheckIn(given.check_ins),
        }
        const numbers = { ...given, ...blocks }
        await database.transaction(async (tx) => {
          for (const { name, sequence } of IDENTITIES) {
            const last = numbers[name]
            // A sequence cannot stand below its first number.
            const state = last > 0 ? `${last}` : '1, false'
            await tx.rows(`SELECT setval(${sequence}, ${state})`)
          }
          await tx.run(SQL.drop)
        })
      },
      async discard() {
        await endSnapshot()
        await emptyAgain(database, SQL.drop)
      },
    }
  })
}

type Types = ReadonlyMap<string, string>

/** Returns what reads the types of the columns of a table, once for each table. */
function columnTypes(queries: Queries): (table: string) => Promise<Types> {
  const known = new Map<string, Types>()
  return async (table) => {
    const found = known.get(table)
    if (found !== undefined) return found
    const rows = await queries.rows<{ name: string; type: string }>(SQL.types, [table])
    const types = new Map(rows.map(({ name, type }) => [name, type]))
    known.set(table, types)
    return types
  }
}

async function insert(
  tx: Transaction,
  { name }: MovedTable,
  writes: readonly (PostgresWrite & { readonly types: Types })[],
  rows: readonly Row[],
): Promise<void> {
  const isClosed = name === 'artifacts'
  if (isClosed) await tx.run(SQL.open)
  for (const { table, columns, fixed, types, values } of writes) {
    const stored = rows.map((row) => values(row)).filter((row) => row !== undefined)
    if (stored.length === 0) continue
    const arrays = columns.map((column, at) => `$${at + 1}::${types.get(column)}[]`)
    const all = [...columns, ...Object.keys(fixed)].join(', ')
    const selected = ['moved.*', ...Object.values(fixed)].join(', ')
    await tx.run(
      `INSERT INTO ${table} (${all}) SELECT ${selected} FROM unnest(${arrays.join(', ')}) AS moved`,
      columns.map((_, at) => stored.map((row) => row[at])),
    )
  }
  if (isClosed) await tx.run(SQL.close)
}

/** The days of check-ins, whose ids come first in their rows. */
function daysOf(rows: readonly Row[]): Set<number> {
  return new Set(rows.map(([id]) => dayOfId(Number(id))))
}

async function update(tx: Transaction, { name, columns }: MovedTable, row: Row): Promise<void> {
  const values = columns.map((column, at) => `${column} = $${at + 1}`).join(', ')
  await tx.run(`UPDATE ${name} SET ${values}`, [...row])
}

async function get<State>(queries: Queries, name: string): Promise<State | undefined> {
  const row = await queries.row<{ state: string }>(SQL.get, [name])
  return row === undefined ? undefined : JSON.parse(row.state)
}

async function set(tx: Transaction, name: string, state: MoveRecord | TableProgress) {
  await tx.run(SQL.set, [name, JSON.stringify(state)])
}
