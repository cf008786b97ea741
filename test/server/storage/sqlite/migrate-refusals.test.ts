import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { storedVersion } from '../../../../src/server/storage/sqlite/header.ts'
import { migrateDatabase } from '../../../../src/server/storage/sqlite/migrate.ts'
import { preparedFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { NEXT, prepare, withNext } from '../../../support/builders/migrations.ts'
import { startFixture } from '../../../support/processes/fixture.ts'
import { sentenceOf, sha256, storageFailure } from '../../../support/servers/database.ts'

describe('files that are rejected and left unchanged byte for byte', () => {
  async function refused(code: Parameters<typeof storageFailure>[0], folder: string) {
    const file = dataFile(folder)
    const snapshot = () =>
      readdirSync(folder)
        .filter((name) => !name.endsWith('-shm'))
        .map((name) => [name, sha256(`${folder}/${name}`)])
    const before = snapshot()
    const failure = await storageFailure(code, () => prepare(folder))
    expect(sentenceOf(failure)).toContain(file)
    await storageFailure(code, () => migrateDatabase(file))
    expect(snapshot()).toEqual(before)
    return failure
  }

  test('a newer database', async () => {
    const folder = preparedFolder()
    prepare(folder, withNext('CREATE TABLE later (id INTEGER PRIMARY KEY)'))
    const failure = await refused('newer_database', folder)
    expect(sentenceOf(failure)).toContain(`schema ${NEXT}; this version supports up to ${NEXT - 1}`)
    expect(readdirSync(folder).filter((name) => /-(wal|shm)$/.test(name))).toEqual([])
  })

  test('a database that is newer only by its log', async () => {
    const folder = preparedFolder()
    const file = dataFile(folder)
    await startFixture('run-sql.ts', 'crash', file, `PRAGMA user_version = ${NEXT}`).exited
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
    await refused('newer_database', folder)
  })

  test('a newer database that another process is using', async () => {
    const folder = preparedFolder()
    const database = openDatabase(dataFile(folder))
    database.pragma(`user_version = ${NEXT}`)
    await refused('newer_database', folder)
    database.close()
  })

  test('a file that is no database', async () => {
    for (const garbage of ['x', 'no database '.repeat(1_000), '\0'.repeat(4_096)]) {
      const folder = temporaryFolder()
      writeFileSync(dataFile(folder), garbage)
      await refused('not_a_database', folder)
    }
  })

  test('a database that is cut off', async () => {
    const folder = preparedFolder()
    truncateSync(dataFile(folder), statSync(dataFile(folder)).size - 4_096)
    await refused('corrupt', folder)
  })

  test('a database of another program', async () => {
    for (const sql of [
      'CREATE TABLE notes (id INTEGER)',
      'CREATE TABLE notes (id INTEGER); PRAGMA user_version = 1',
      'PRAGMA application_id = 7; PRAGMA journal_mode = WAL',
    ]) {
      const folder = temporaryFolder()
      new Database(dataFile(folder)).exec(sql).close()
      await refused('foreign_database', folder)
    }
  })

  test.each([[], ['-wal'], ['-wal', '-shm'], ['-journal']])(
    'a file that has lost its content, with %j beside it',
    async (...beside) => {
      const folder = preparedFolder()
      const file = dataFile(folder)
      for (const suffix of beside) writeFileSync(file + suffix, 'what is left of a log')
      truncateSync(file)
      const failure = await storageFailure('corrupt', () => prepare(folder))
      expect(sentenceOf(failure)).toMatch(
        /is empty \(0 bytes\).*Restore a backup, or delete the file/,
      )
      expect(statSync(file).size).toBe(0)
    },
  )

  test('a log whose database is gone', async () => {
    const folder = preparedFolder()
    const file = dataFile(folder)
    writeFileSync(`${file}-wal`, 'what is left of a log')
    rmSync(file)
    const failure = await storageFailure('missing', () => prepare(folder))
    expect(sentenceOf(failure)).toContain(`its log ${file}-wal does`)
    expect(existsSync(file)).toBe(false)
  })

  test('a folder in the place of the file', async () => {
    const folder = temporaryFolder()
    mkdirSync(dataFile(folder))
    await storageFailure('unopenable', () => prepare(folder))
  })

  test('a file in the place of the folder', async () => {
    const folder = `${temporaryFolder()}/file`
    writeFileSync(folder, '')
    const failure = await storageFailure('unopenable', () => prepare(folder))
    expect(sentenceOf(failure)).toContain(`${folder} is not a folder`)
  })
})

describe('without the lock', () => {
  const next = withNext('CREATE TABLE later (id INTEGER PRIMARY KEY)')

  test('an older database is not migrated under a running server', async () => {
    const folder = preparedFolder()
    const server = startFixture('hold-lock.ts', folder, 'http://127.0.0.1:7000')
    await server.line()
    const failure = await storageFailure('outdated', () => prepare(folder, next))
    expect(sentenceOf(failure)).toMatch(/http:\/\/127\.0\.0\.1:7000 .*Restart it/)
    expect(sentenceOf(failure)).toContain(String(server.child.pid))
    expect(storedVersion(dataFile(folder))).toBe(NEXT - 1)
    prepare(folder)
    await server.kill()
    expect(prepare(folder, next)).toMatchObject({ from: NEXT - 1, to: NEXT })
  })

  test('the lock is given back, after a failure too', async () => {
    const folder = preparedFolder()
    await storageFailure('migration_failed', () => prepare(folder, withNext('nonsense')))
    prepare(folder, next)
    const server = startFixture('hold-lock.ts', folder)
    expect(await server.line()).toBe('locked')
  })
})
