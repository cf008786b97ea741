/**
 * Makes the fixtures that are missing: `npx node test/server/storage/upgrade/make-fixtures.ts`. Run it before you add a
 * migration, so that there is one of the schema before it. A fixture that exists is never made anew: it shows
 * what an earlier version wrote.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'
import { MIGRATIONS } from '../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../src/server/storage/sqlite/prepare.ts'
import { columnsOf, dump } from './dump.ts'
import { fixtureFile, keepFixture, tablesOf } from './fixture.ts'
import { makeSource } from './source.ts'

const temporary = mkdtempSync(join(tmpdir(), 'tidegate-fixtures-'))
try {
  const source = await makeSource(join(temporary, 'source'))
  for (const { number } of MIGRATIONS) {
    const file = fixtureFile(number)
    if (existsSync(file)) continue
    keepFixture(number, projected(source, number, join(temporary, String(number))))
    process.stdout.write(`${file}\n`)
  }
} finally {
  rmSync(temporary, { recursive: true })
}

/** Returns a database of an earlier schema with all rows and columns of `source` that it has a place for. */
function projected(source: string, version: number, folder: string): string {
  const migrations = MIGRATIONS.filter(({ number }) => number <= version)
  prepareDatabase(folder, { lockHeld: false, migrations })
  const database = new Database(dataFile(folder))
  try {
    database.pragma('foreign_keys = OFF')
    database.prepare('ATTACH ? AS source').run(source)
    const triggers = database
      .prepare<[], { name: string; sql: string }>(
        "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger'",
      )
      .all()
    for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`)
    for (const table of tablesOf(database)) {
      const columns = columnsOf(database, table).map((column) => `"${column}"`)
      // A kind of actor that the schema does not know cannot have made an entry.
      const known = table === 'audit' ? knownActors(version) : '1'
      database.exec(`DELETE FROM main."${table}";
        INSERT INTO main."${table}" (${columns}) SELECT ${columns} FROM source."${table}" WHERE ${known}`)
    }
    for (const { sql } of triggers) database.exec(sql)
    database.exec('DETACH source')
    const broken = database.pragma('foreign_key_check')
    if (Array.isArray(broken) && broken.length > 0) throw new Error(JSON.stringify(broken))
    return dump(database)
  } finally {
    database.close()
  }
}

function knownActors(version: number): string {
  const kinds = ['key', 'command_line', 'console']
  if (version >= 8) kinds.push('person')
  if (version >= 9) kinds.push('server')
  return `actor_kind IN (${kinds.map((kind) => `'${kind}'`)})`
}
