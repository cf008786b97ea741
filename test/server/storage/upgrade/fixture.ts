import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { applyPatch, createPatch, OMIT_HEADERS } from 'diff'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')

/** What every fixture holds, as far as its schema has a place for it. */
export const KNOWN = {
  /** When the databases were last written, Unix ms. */
  at: Date.parse('2026-03-14T09:30:00.000Z'),
  /** The secret of the key `ci`, which sees everything. */
  key: `tg_${'fixture'.repeat(6)}x`,
  /** The first account, from schema 8 on. */
  person: { name: 'mia', password: 'glass-otter-violin-77' },
} as const

/** Returns the file of a fixture: the first one is SQL, and each later one what differs from the one before it. */
export function fixtureFile(version: number): string {
  return join(
    FOLDER,
    `schema-${String(version).padStart(4, '0')}.${version === 1 ? 'sql' : 'patch'}`,
  )
}

/** Returns the schema versions that have a fixture, in order. */
export function fixtureVersions(): number[] {
  return readdirSync(FOLDER)
    .map((name) => Number(/^schema-(\d+)\.(?:sql|patch)$/.exec(name)?.[1]))
    .sort((left, right) => left - right)
}

/** Returns SQL that makes a database of that schema version, with rows in every table. Throws if a fixture is missing. */
function fixtureSql(version: number): string {
  const stored = readFileSync(fixtureFile(version), 'utf8')
  if (version === 1) return stored
  const sql = applyPatch(fixtureSql(version - 1), stored)
  if (sql === false) throw new Error(`${fixtureFile(version)} does not fit`)
  return sql
}

/** Keeps SQL as the fixture of a schema version, whose predecessor exists. */
export function keepFixture(version: number, sql: string): void {
  const options = { context: 0, headerOptions: OMIT_HEADERS }
  const text =
    version === 1
      ? sql
      : createPatch('', fixtureSql(version - 1), sql, undefined, undefined, options)
  writeFileSync(fixtureFile(version), text)
}

/** Makes the database of a fixture in a data folder, as a server of that time left it. */
export function writeFixture(version: number, folder: string): void {
  const database = new Database(dataFile(folder))
  try {
    database.pragma('journal_mode = WAL')
    database.exec(fixtureSql(version))
  } finally {
    database.close()
  }
}

export type Row = Readonly<Record<string, unknown>>

/** Returns the rows of each table of a database, and of those of SQLite that count numbers. */
export function rowsByTable(file: string): ReadonlyMap<string, readonly Row[]> {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  try {
    return new Map(
      tablesOf(database).map((table) => [
        table,
        database.prepare<[], Row>(`SELECT * FROM "${table}" ORDER BY 1, 2`).all(),
      ]),
    )
  } finally {
    database.close()
  }
}

/** Returns what makes the tables, indexes and triggers of a database, by name. */
export function schemaOf(file: string): readonly Row[] {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  try {
    return database
      .prepare<[], Row>('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name')
      .all()
  } finally {
    database.close()
  }
}

/** Returns the names of the tables with rows of ours, in the order in which they were created. */
export function tablesOf(database: Database.Database): string[] {
  const tables = `SELECT name FROM sqlite_schema WHERE type = 'table'
    AND (name NOT GLOB 'sqlite_*' OR name = 'sqlite_sequence') ORDER BY rowid`
  return database.prepare<[], string>(tables).pluck().all()
}
