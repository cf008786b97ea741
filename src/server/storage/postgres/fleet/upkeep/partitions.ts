import { dayName, dayOf, days } from '../../../../fleet/time.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import type { Queries, Transaction } from '../../connection/queries.ts'
import { firstIdOf } from '../ingest/id-blocks.ts'
import { retried } from './retried.ts'

/** Days before and after the present one that have a partition. */
const BACK = 2
const AHEAD = 2
/** Milliseconds that a change of the partitions waits for a lock. Check-ins wait behind it meanwhile. */
const LOCK_TIME = 200
/** Of the lock that keeps nodes from creating the same partition: the bytes of "tidp". */
const LOCK = 0x74696470

const SQL = {
  partitions: `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = 'check_ins'::regclass ORDER BY relname`,
  lock: 'SELECT pg_advisory_xact_lock($1)',
  indexes: `SELECT indexrelid::regclass::text AS name FROM pg_index
    JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
    WHERE indrelid = to_regclass($1) AND amname = 'brin'`,
  summarize: 'SELECT brin_summarize_new_values($1::text::regclass)',
} as const

/**
 * Creates the missing partitions of the check-in log from 2 days before `now` (Unix ms) to 2 days after. Several nodes can
 * do this at once. Check-ins are stored meanwhile. Rejects with `StorageError`.
 */
export async function ensurePartitions(database: PostgresDatabase, now: number): Promise<void> {
  const today = dayOf(now)
  const wanted = Array.from({ length: BACK + 1 + AHEAD }, (_, at) => today - BACK + at)
  const there = new Set(await partitionsOf(database))
  if (wanted.every((day) => there.has(day))) return
  const create = () =>
    database.transaction((tx) => createPartitions(tx, wanted), { lockTime: LOCK_TIME })
  await retried(create)
}

/** Creates the missing partitions of some UTC days. */
export async function createPartitions(tx: Transaction, wanted: Iterable<number>): Promise<void> {
  await tx.run(SQL.lock, [LOCK])
  const there = new Set(await partitionsOf(tx))
  for (const day of wanted) if (!there.has(day)) await tx.run(createPartition(day))
}

/**
 * Drops every partition whose day ended before `before` (Unix ms). Returns how many. Each waits for statements that use the
 * log, but not for long: rejects with `busy` when they do not end.
 */
export async function dropPartitions(database: PostgresDatabase, before: number): Promise<number> {
  const old = (await partitionsOf(database)).filter((day) => days(day + 1) <= before)
  for (const day of old) {
    const drop = () =>
      database.transaction((tx) => tx.run(`DROP TABLE IF EXISTS ${nameOf(day)}`), {
        lockTime: LOCK_TIME,
      })
    await retried(drop)
  }
  return old.length
}

/**
 * Adds new check-ins of the UTC day of `now` (Unix ms), and of the day before, to the index of the log: PostgreSQL does so
 * only when it vacuums, and until then each search reads all of them.
 */
export async function summarize(database: PostgresDatabase, now: number): Promise<void> {
  for (const day of [dayOf(now) - 1, dayOf(now)]) {
    for (const { name } of await database.rows<{ name: string }>(SQL.indexes, [nameOf(day)])) {
      const add = () =>
        database.transaction((tx) => tx.run(SQL.summarize, [name]), { lockTime: LOCK_TIME })
      await retried(add)
    }
  }
}

/** Returns the UTC days that have a partition. */
export async function partitionsOf(queries: Queries): Promise<number[]> {
  const rows = await queries.rows<{ name: string }>(SQL.partitions)
  return rows.map(({ name }) => dayIn(name))
}

/** With the constraint, nothing is read to attach the table, and attaching does not keep check-ins out of the others. */
function createPartition(day: number): string {
  const name = nameOf(day)
  const [from, to] = [firstIdOf(day), firstIdOf(day + 1)]
  return `CREATE TABLE ${name} (LIKE check_ins INCLUDING ALL,
      CONSTRAINT ids_of_day CHECK (id >= ${from} AND id < ${to}));
    ALTER TABLE check_ins ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to});
    ALTER TABLE ${name} DROP CONSTRAINT ids_of_day`
}

/** `check_ins_2026_03_14` */
function nameOf(day: number): string {
  return `check_ins_${dayName(day).replaceAll('-', '_')}`
}

function dayIn(name: string): number {
  return dayOf(Date.parse(name.replace('check_ins_', '').replaceAll('_', '-')))
}
