import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'
import { APPLICATION_ID, storedVersion } from '../../../../src/server/storage/sqlite/header.ts'
import {
  MIGRATIONS,
  type Migration,
  schemaVersion,
} from '../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../src/server/storage/sqlite/prepare.ts'
import { preparedFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { NEXT, prepare, withNext } from '../../../support/builders/migrations.ts'
import { startFixture } from '../../../support/processes/fixture.ts'
import {
  addApps,
  appRefs,
  sentenceOf,
  sha256,
  storageFailure,
} from '../../../support/servers/database.ts'

function query(file: string, sql: string): unknown[] {
  const database = new Database(file, { fileMustExist: true })
  try {
    return database.prepare(sql).pluck().all()
  } finally {
    database.close()
  }
}

/** The end of the name of each copy. */
function copiesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.includes('before'))
  return names.map((name) => name.replace('tidegate.db.', '')).sort()
}

describe('the migrations', () => {
  test('are numbered from 1, without gaps', () => {
    const numbers = MIGRATIONS.map(({ number }) => number)
    expect(numbers).toEqual(MIGRATIONS.map((_, index) => index + 1))
  })

  test('make a folder and a database that are sound and marked as ours', () => {
    const folder = `${temporaryFolder()}/deep/data`
    expect(prepare(folder)).toEqual({ from: 0, to: schemaVersion(), copy: undefined })
    const file = dataFile(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(query(file, 'PRAGMA application_id')).toEqual([APPLICATION_ID])
    expect(query(file, 'PRAGMA user_version')).toEqual([schemaVersion()])
    expect(query(file, 'PRAGMA integrity_check')).toEqual(['ok'])
    expect(
      query(
        file,
        "SELECT name FROM pragma_table_list WHERE strict = 0 AND name NOT GLOB 'sqlite_*'",
      ),
    ).toEqual([])
  })

  test('leave nothing of a creation that was cut short', () => {
    const folder = temporaryFolder()
    writeFileSync(`${dataFile(folder)}.new`, 'half of a database')
    expect(prepare(folder).from).toBe(0)
    expect(appRefs(folder)).toEqual([])
    expect(readdirSync(folder).sort()).not.toContain('tidegate.db.new')
  })

  test('can run one by one or all together', () => {
    const folder = temporaryFolder()
    for (const [index, { number }] of MIGRATIONS.entries()) {
      expect(prepare(folder, MIGRATIONS.slice(0, index + 1)).to).toBe(number)
    }
    const schema = 'SELECT sql FROM sqlite_schema ORDER BY name'
    expect(query(dataFile(folder), schema)).toEqual(query(dataFile(preparedFolder()), schema))
  })
})

describe('a current database', () => {
  test('is left unchanged', () => {
    const folder = preparedFolder()
    const before = [readdirSync(folder), sha256(dataFile(folder))]
    expect(prepare(folder)).toEqual({
      from: schemaVersion(),
      to: schemaVersion(),
      copy: undefined,
    })
    expect([readdirSync(folder), sha256(dataFile(folder))]).toEqual(before)
  })
})

describe('an older database', () => {
  test('is copied, and migrated with all that is in it, also in its log', async () => {
    const folder = preparedFolder()
    addApps(folder, 'editor')
    const sql = "INSERT INTO apps (id, ref, name, created_at) VALUES ('p', 'player', 'p', '')"
    await startFixture('run-sql.ts', 'crash', dataFile(folder), sql).exited
    const result = prepare(folder, withNext('ALTER TABLE apps ADD COLUMN motto TEXT'))
    const copy = `${dataFile(folder)}.before-${NEXT}`
    expect(result).toEqual({ from: NEXT - 1, to: NEXT, copy })
    expect(query(dataFile(folder), 'SELECT ref FROM apps WHERE motto IS NULL')).toEqual([
      'editor',
      'player',
    ])
    expect(query(copy, 'SELECT ref FROM apps')).toEqual(['editor', 'player'])
    expect(storedVersion(copy)).toBe(NEXT - 1)
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
  })

  test('is never copied over an earlier copy, and a piece of a copy is no hindrance', () => {
    const folder = preparedFolder()
    const copy = `${dataFile(folder)}.before-${NEXT}`
    writeFileSync(copy, 'earlier')
    writeFileSync(`${dataFile(folder)}.before-upgrade.partial`, 'half-written')
    const before = sha256(copy)
    const sql = 'CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT'
    expect(prepare(folder, withNext(sql)).copy).toBe(`${copy}.2`)
    expect(sha256(copy)).toBe(before)
    expect(copiesIn(folder)).toEqual([`before-${NEXT}`, `before-${NEXT}.2`])
  })

  const failing: Record<string, [sql: string, code: 'migration_failed' | 'full', message: RegExp]> =
    {
      'with a mistake': [
        'DELETE FROM apps; CREATE TABEL x',
        'migration_failed',
        new RegExp(`Migration ${NEXT + 1} \\(failing\\).*syntax error`),
      ],
      'that breaks a reference': [
        "PRAGMA foreign_keys = ON; INSERT INTO channels (app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision) VALUES (99, 'c', 'optional', '0.0.0', 'downgrade', '', 1); DELETE FROM apps",
        'migration_failed',
        new RegExp(`Migration to schema ${NEXT + 1} .*channels refers to rows that do not exist`),
      ],
      'that fills the disk': [
        'DELETE FROM apps; PRAGMA max_page_count = 1; CREATE TABLE x AS SELECT zeroblob(100000)',
        'full',
        new RegExp(`Migration ${NEXT + 1} \\(failing\\).*no space left`),
      ],
    }

  for (const [what, [sql, code, message]] of Object.entries(failing)) {
    test(`stays as it is when a migration fails ${what}`, async () => {
      const folder = preparedFolder()
      addApps(folder, 'editor')
      const steps = [
        ...withNext('CREATE TABLE first_step (id INTEGER)'),
        { number: NEXT + 1, name: 'failing', sql },
      ]
      const failure = await storageFailure(code, () => prepare(folder, steps))
      expect(sentenceOf(failure)).toMatch(message)
      expect(storedVersion(dataFile(folder))).toBe(NEXT - 1)
      expect(appRefs(folder)).toEqual(['editor'])
      expect(
        query(dataFile(folder), "SELECT 1 FROM sqlite_schema WHERE name = 'first_step'"),
      ).toEqual([])
      expect(copiesIn(folder)).toEqual([])
    })
  }

  test('may drop and rebuild a table that others refer to', () => {
    const folder = preparedFolder()
    addApps(folder, 'editor')
    const sql = `
      CREATE TABLE apps_new (key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
        ref TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created_at TEXT NOT NULL,
        archived_at TEXT, minisign_key TEXT, artifact_hosts TEXT NOT NULL) STRICT;
      INSERT INTO apps_new SELECT key, id, ref, name, created_at, archived_at, minisign_key,
        artifact_hosts FROM apps;
      DROP TABLE apps;
      ALTER TABLE apps_new RENAME TO apps;`
    prepare(folder, withNext(sql))
    expect(appRefs(folder)).toEqual(['editor'])
  })

  test('has one copy however often the process is killed in the middle of a migration', async () => {
    const folder = preparedFolder()
    addApps(folder, 'editor')
    const log = `${dataFile(folder)}-wal`
    for (const app of ['player', 'viewer']) {
      const migrating = startFixture('migrate-forever.ts', folder)
      // Without a commit it spills into the log what its cache cannot hold.
      while ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) < 4_000_000) {
        // Until the next look.
        await new Promise((resolve) => setTimeout(resolve, 5))
        expect(migrating.child.exitCode).toBeNull()
      }
      await migrating.kill()
      expect(copiesIn(folder)).toEqual(['before-upgrade'])
      expect(storedVersion(dataFile(folder))).toBe(NEXT - 1)
      addApps(folder, app)
    }
    expect(appRefs(folder)).toEqual(['editor', 'player', 'viewer'])
    const sql = 'ALTER TABLE apps ADD COLUMN motto TEXT'
    const copy = `${dataFile(folder)}.before-${NEXT}`
    expect(prepare(folder, withNext(sql)).copy).toBe(copy)
    expect(copiesIn(folder)).toEqual([`before-${NEXT}`])
    expect(query(copy, 'SELECT ref FROM apps')).toEqual(['editor', 'player', 'viewer'])
  })

  test('has one copy wherever its migration is cut short', async () => {
    const migrations = withNext('CREATE TABLE later (id INTEGER PRIMARY KEY)')
    let afterCommit = 0
    for (let step = 1; ; step++) {
      const folder = preparedFolder()
      addApps(folder, 'editor')
      const { signal, code, stderr } = await startFixture(
        ...(['die-at-step.ts', 'migrate', String(step), folder] as const),
      ).exited
      const isMigrated = storedVersion(dataFile(folder), migrations) === NEXT
      if (isMigrated && copiesIn(folder).includes('before-upgrade')) afterCommit += 1
      if (isMigrated) {
        const [copy = ''] = copiesIn(folder)
        expect(query(`${dataFile(folder)}.${copy}`, 'SELECT ref FROM apps')).toEqual(['editor'])
      }
      // As a server starts.
      prepareDatabase(folder, { lockHeld: true, migrations })
      expect(appRefs(folder)).toEqual(['editor'])
      expect(copiesIn(folder)).toEqual([`before-${NEXT}`])
      const copy = `${dataFile(folder)}.before-${NEXT}`
      expect(query(copy, 'SELECT ref FROM apps')).toEqual(['editor'])
      expect(storedVersion(copy)).toBe(NEXT - 1)
      if (signal === null) {
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        expect(step).toBeGreaterThan(5)
        expect(afterCommit).toBeGreaterThan(0)
        return
      }
    }
  })

  test('names the copy of an interrupted migration', () => {
    const folder = preparedFolder()
    const migrations = withNext('CREATE TABLE later (id INTEGER PRIMARY KEY)')
    const { copy = '' } = prepare(folder, migrations)
    renameSync(copy, `${dataFile(folder)}.before-upgrade`)
    expect(prepare(folder, migrations).copy).toBeUndefined()
    const start = () => prepareDatabase(folder, { lockHeld: true, migrations })
    expect(start()).toEqual({ from: NEXT - 1, to: NEXT, copy })
    expect(start()).toEqual({ from: NEXT, to: NEXT, copy: undefined })
  })

  test('is announced before it is migrated, and no other', () => {
    const folder = preparedFolder()
    const received: unknown[] = []
    const start = (at: string, migrations: readonly Migration[]) =>
      prepareDatabase(at, {
        lockHeld: true,
        migrations,
        onMigrate: (versions) => received.push(versions, storedVersion(dataFile(at))),
      })
    start(temporaryFolder(), MIGRATIONS)
    start(folder, MIGRATIONS)
    expect(received).toEqual([])
    start(folder, withNext('CREATE TABLE later (id INTEGER PRIMARY KEY)'))
    expect(received).toEqual([{ from: NEXT - 1, to: NEXT }, NEXT - 1])
  })
})

test('a database from a backup has its log before connections are opened side by side', () => {
  const folder = preparedFolder()
  const file = dataFile(folder)
  query(file, 'PRAGMA journal_mode = DELETE')
  // SQLite's file format, section 1.3: 1 is a rollback journal, 2 a write-ahead log.
  const journal = () => readFileSync(file).subarray(18, 20)
  expect([...journal()]).toEqual([1, 1])
  prepareDatabase(folder, { lockHeld: true })
  expect([...journal()]).toEqual([2, 2])
})
