// @module-tag postgresql

import type Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { move } from '../../../../src/server/storage/move/move.ts'
import { movedTables } from '../../../../src/server/storage/move/tables.ts'
import { PostgresDatabase } from '../../../../src/server/storage/postgres/connection/database.ts'
import { MIGRATIONS } from '../../../../src/server/storage/postgres/migrations/index.ts'
import { migrate } from '../../../../src/server/storage/postgres/migrations/migrate.ts'
import { prepareDatabase } from '../../../../src/server/storage/sqlite/prepare.ts'
import { preparedFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import { openFolder } from '../../../support/servers/database.ts'
import { fixtureVersions, writeFixture } from '../upgrade/fixture.ts'

/** Of those that are moved with the same columns, the tables of devices: each engine has its own. */
const OF_DEVICES = new Set(['profiles', 'offered_releases', 'health_samples'])
/** What both engines must have of the catalog, the people and the outbox. */
const TABLES = movedTables(() => ({ columns: [], key: [] }))
  .filter(({ name, kind }) => kind !== 'fleet' && !OF_DEVICES.has(name))
  .map(({ name }) => name)

/** Facts about a table, each a line, such as `name TEXT not null`. */
type Shape = Readonly<Record<string, readonly string[]>>

interface Column {
  readonly name: string
  readonly type: string
  readonly required: boolean | number
  readonly standard: string | null
}

/** The name of a column that holds the only row of a table in place: each engine has its own. */
const ONLY = new Set(['only', 'one'])

function columnLine({ name, type, required, standard }: Column): string[] {
  if (ONLY.has(name)) return []
  const kind = /int/i.test(type) ? 'number' : /double|real/i.test(type) ? 'real' : 'text'
  const value = standard === null ? '' : ` = ${standard.replace(/::\w+(?: \w+)*$/, '')}`
  return [`${name} ${kind}${required ? ' required' : ''}${/nextval/.test(value) ? '' : value}`]
}

/** An index or a reference as SQLite and PostgreSQL name it. */
interface Named {
  readonly line: string
}

function sqliteShape(database: Database.Database): Shape {
  const all = <Row>(sql: string, table: string) =>
    database.prepare<[{ table: string }], Row>(sql).all({ table })
  const shapeOf = (table: string) => {
    const columns = all<Column>(
      `SELECT name, type, "notnull" OR (pk > 0 AND type = 'INTEGER') AS required, dflt_value AS standard
      FROM pragma_table_info(@table)`,
      table,
    )
    const indexes = all<Named>(
      `SELECT CASE origin WHEN 'c' THEN l.name ELSE 'unique' END || ' (' ||
        (SELECT group_concat(i.name, ', ') FROM pragma_index_info(l.name) AS i) || ')' AS line
      FROM pragma_index_list(@table) AS l`,
      table,
    )
    const key = all<Named>(
      `SELECT 'unique (' || name || ')' AS line FROM pragma_table_info(@table)
      WHERE pk = 1 AND type = 'INTEGER' AND 1 = (SELECT max(pk) FROM pragma_table_info(@table))`,
      table,
    )
    const references = all<Named>(
      `SELECT group_concat("from", ', ') || ' -> ' || "table" || ' (' || group_concat("to", ', ') || ') '
        || lower(on_delete) AS line
      FROM (SELECT * FROM pragma_foreign_key_list(@table) ORDER BY id, seq) GROUP BY id`,
      table,
    )
    const triggers = all<Named>(
      `SELECT 'guard ' || name AS line FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = @table`,
      table,
    )
    return facts(columns, [...indexes, ...key, ...references, ...triggers])
  }
  return Object.fromEntries(TABLES.map((table) => [table, shapeOf(table)]))
}

async function postgresShape(database: PostgresDatabase): Promise<Shape> {
  const shapes: [string, string[]][] = []
  for (const table of TABLES) {
    const columns = await database.rows<Column>(
      `SELECT column_name AS name, data_type AS type, is_nullable = 'NO' AS required, column_default AS standard
      FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1`,
      [table],
    )
    const columnsOf = (relation: string, numbers: string) =>
      `(SELECT string_agg(attname, ', ' ORDER BY place) FROM unnest(${numbers}) WITH ORDINALITY AS u (number, place)
        JOIN pg_attribute ON attrelid = ${relation} AND attnum = number)`
    const rest = await database.rows<Named>(
      `SELECT CASE WHEN indisunique THEN 'unique' ELSE relname END || ' (' || ${columnsOf('indrelid', 'indkey::int2[]')}
        || ')' AS line
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = $1::regclass
      UNION ALL
      SELECT ${columnsOf('conrelid', 'conkey')} || ' -> ' || confrelid::regclass || ' (' || ${columnsOf('confrelid', 'confkey')}
        || ') ' || CASE confdeltype WHEN 'c' THEN 'cascade' WHEN 'n' THEN 'set null' ELSE 'no action' END
      FROM pg_constraint WHERE contype = 'f' AND conrelid = $1::regclass
      UNION ALL
      -- SQLite has no TRUNCATE.
      SELECT 'guard ' || tgname FROM pg_trigger
      WHERE NOT tgisinternal AND tgrelid = $1::regclass AND tgtype & 32 = 0`,
      [table],
    )
    shapes.push([table, facts(columns, rest)])
  }
  return Object.fromEntries(shapes)
}

function facts(columns: readonly Column[], rest: readonly Named[]): string[] {
  const lines = rest.map(({ line }) => line).filter((line) => !/\((?:only|one)\)/.test(line))
  return [...columns.flatMap(columnLine), ...lines].sort()
}

/** The tables of a folder that was made today. */
function expectedShape(): Shape {
  const database = openFolder(preparedFolder())
  try {
    return sqliteShape(database)
  } finally {
    database.close()
  }
}

async function withDatabase<T>(url: string, work: (database: PostgresDatabase) => Promise<T>) {
  const database = new PostgresDatabase(url)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

describe.each(fixtureVersions())('a database of schema %i', (version) => {
  test('has the same tables after it was migrated, and after it was moved to PostgreSQL', async () => {
    const folder = temporaryFolder()
    writeFixture(version, folder)
    prepareDatabase(folder, { lockHeld: false })
    const database = openFolder(folder)
    const migrated = sqliteShape(database)
    database.close()
    expect(migrated).toEqual(expectedShape())

    const url = await freshDatabase({ prepared: true })
    await move({ from: { kind: 'folder', folder }, to: { kind: 'postgres', url } })
    expect(await withDatabase(url, postgresShape)).toEqual(migrated)
  })
})

test.each(MIGRATIONS)(
  'PostgreSQL of schema $number has the same tables after it was migrated',
  async ({ number }) => {
    const shape = await withDatabase(await freshDatabase(), async (database) => {
      await migrate(database, MIGRATIONS.slice(0, number))
      expect(await migrate(database)).toEqual({ from: number, to: MIGRATIONS.length })
      return await postgresShape(database)
    })
    expect(shape).toEqual(expectedShape())
  },
)
