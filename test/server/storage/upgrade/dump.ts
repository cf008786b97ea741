import type Database from 'better-sqlite3'
import { tablesOf } from './fixture.ts'

interface Part {
  readonly type: string
  readonly sql: string
}

/** Returns SQL that makes the same database: its tables and rows, then its indexes and triggers. */
export function dump(database: Database.Database): string {
  const parts = database
    .prepare<[], Part>('SELECT type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid')
    .all()
    .filter(({ sql }) => !/^CREATE TABLE sqlite_/.test(sql))
  const statements = (wanted: (part: Part) => boolean) =>
    parts.filter(wanted).map(({ sql }) => `${sql};`)
  const pragma = (name: string) => `PRAGMA ${name} = ${database.pragma(name, { simple: true })};`
  return [
    'BEGIN;',
    ...statements(({ type }) => type === 'table'),
    ...tablesOf(database).flatMap((table) => insertsOf(database, table)),
    ...statements(({ type }) => type !== 'table'),
    pragma('application_id'),
    pragma('user_version'),
    'COMMIT;',
    '',
  ].join('\n')
}

function insertsOf(database: Database.Database, table: string): string[] {
  const columns = columnsOf(database, table)
  const values = columns.map((column) => `quote("${column}")`).join(` || ', ' || `)
  const rows = database
    .prepare<[], string>(`SELECT ${values} FROM "${table}" ORDER BY "${columns[0]}"`)
    .pluck()
    .all()
  // Inserting rows has created the counters of SQLite already.
  const clear = table === 'sqlite_sequence' ? ['DELETE FROM sqlite_sequence;'] : []
  return [...clear, ...rows.map((row) => `INSERT INTO "${table}" VALUES (${row});`)]
}

/** Returns the names of a table's columns. */
export function columnsOf(database: Database.Database, table: string): string[] {
  return database
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck()
    .all(table)
}
