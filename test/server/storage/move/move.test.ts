// @module-tag postgresql

import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MoveProgress } from '../../../../src/server/storage/interface/moves.ts'
import { MoveError, type MovePlace } from '../../../../src/server/storage/interface/moves.ts'
import { discardMove, move } from '../../../../src/server/storage/move/move.ts'
import {
  MOVED_TABLES,
  NOT_MOVED,
  STATE_TABLES,
} from '../../../../src/server/storage/move/tables.ts'
import { openStorage } from '../../../../src/server/storage/open-storage.ts'
import { PostgresDatabase } from '../../../../src/server/storage/postgres/connection/database.ts'
import { migrate } from '../../../../src/server/storage/postgres/migrations/migrate.ts'
import { MOVE_LOCK } from '../../../../src/server/storage/postgres/migrations/move-lock.ts'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { preparedFolder, temporaryFolder } from '../../../support/builders/folders.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import { startFixture } from '../../../support/processes/fixture.ts'
import { join, open } from '../postgres/nodes/set-up.ts'
import { contentsOf, makeRichFolder, smallFolder } from './moved-folder.ts'

const inFolder = (folder: string): MovePlace => ({ kind: 'folder', folder })
const inPostgres = (url: string): MovePlace => ({ kind: 'postgres', url })

/** Returns the facts of the refusal of a move, or of anything like it. */
async function problemOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    if (error instanceof MoveError) return error.problem
    throw error
  }
  throw new Error('it was not refused')
}

/** Begins a move that stops after so many batches. */
async function stopAfter(batches: number, from: MovePlace, to: MovePlace): Promise<void> {
  const controller = new AbortController()
  let left = batches
  const onProgress = (_: MoveProgress) => {
    if (--left === 0) controller.abort(new Error('stopped'))
  }
  await expect(move({ from, to, onProgress, signal: controller.signal })).rejects.toThrow('stopped')
}

let rich = ''
let before: Record<string, unknown[]> = {}
let url = ''
let moved: PostgresDatabase

beforeAll(async () => {
  rich = await makeRichFolder()
  before = contentsOf(rich)
  url = await freshDatabase()
  await move({ from: inFolder(rich), to: inPostgres(url) })
  moved = new PostgresDatabase(url)
})
afterAll(() => moved.close())

test('what was moved there and back is the same, and its source too', async () => {
  const back = temporaryFolder()
  const { devices, tables } = await move({ from: inPostgres(url), to: inFolder(back) })
  expect(contentsOf(back)).toEqual(before)
  expect(contentsOf(rich)).toEqual(before)
  expect(devices.reduce((sum, app) => sum + app.devices, 0)).toBe(before.devices?.length)
  expect(Object.fromEntries(tables.map(({ table, rows }) => [table, rows]))).toMatchObject({
    check_ins: before.check_ins?.length,
    sessions: 1,
  })
})

test('check-ins lie in the partitions of their days, and name each other', async () => {
  const [wrong] = await moved.rows<{ count: number }>(
    'SELECT count(*) AS count FROM check_ins WHERE id / 68719476736 <> at / 86400000',
  )
  expect(wrong?.count).toBe(0)
  const [found] = await moved.rows<{ links: number; chained: number }>(
    `SELECT count(*) AS links, count(older.id) AS chained FROM check_ins c
    LEFT JOIN check_ins older ON older.id = c.previous WHERE c.previous >= 86400000`,
  )
  const [heads] = await moved.rows<{ heads: number; devices: number }>(
    `SELECT count(c.id) AS heads, count(*) AS devices FROM devices d
    LEFT JOIN check_ins c ON c.id = d.last_check_in AND c.device = d.id AND c.at = d.last_seen`,
  )
  expect(found?.chained).toBe(found?.links)
  expect(found?.chained).toBeGreaterThan(1_000)
  expect(heads?.heads).toBeGreaterThan(200)
})

test('numbers that were given out are not given out again', async () => {
  const [next] = await moved.rows<Record<string, number>>(
    `SELECT 1024 * (1 + pg_sequence_last_value('device_blocks')) AS device,
      4096 * coalesce(1 + pg_sequence_last_value('check_in_blocks'), 1) AS check_in,
      pg_sequence_last_value(pg_get_serial_sequence('profiles', 'id')::regclass) AS profile,
      pg_sequence_last_value(pg_get_serial_sequence('offered_releases', 'number')::regclass) AS release,
      pg_sequence_last_value(pg_get_serial_sequence('audit', 'id')::regclass) AS audit`,
  )
  const database = openDatabase(dataFile(rich), { readonly: true })
  const state = database.prepare('SELECT * FROM telemetry_state').get() as Record<string, number>
  const audit = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'audit'").pluck()
  expect(next).toMatchObject({ profile: 5_000, release: 40, audit: audit.get() })
  expect(next?.device).toBeGreaterThan(2_900)
  expect(next?.check_in).toBeGreaterThan(state.last_check_in ?? Number.NaN)
  database.close()
})

test('a server goes on with what was moved back', async () => {
  const back = temporaryFolder()
  await move({ from: inPostgres(url), to: inFolder(back) })
  const storage = await openStorage({ dataFolder: back })
  const failures: unknown[] = []
  const fleet = await storage.openFleet({ onFailure: (error) => failures.push(error) })
  await fleet.stop()
  await storage.close()
  expect(failures).toEqual([])
  expect(contentsOf(back)).toEqual(before)
})

test.each([
  ['to PostgreSQL', 3],
  ['to PostgreSQL', 48],
  ['to SQLite', 2],
  ['to SQLite', 48],
] as const)('a move %s that is killed in batch %i goes on', async (direction, batch) => {
  const target = direction === 'to SQLite' ? temporaryFolder() : await freshDatabase()
  const source = direction === 'to SQLite' ? url : rich
  const place = (name: string) => (name.startsWith('postgres:') ? inPostgres(name) : inFolder(name))
  const process = startFixture('move-storage.ts', source, target)
  for (let line = 0; line < batch; line++) await process.line()
  await process.kill()
  if (direction === 'to SQLite') expect(existsSync(dataFile(target))).toBe(false)
  const result = await move({ from: place(source), to: place(target) })
  expect(result.resumed).toBe(true)
  if (direction === 'to SQLite') expect(contentsOf(target)).toEqual(before)
  else {
    const back = temporaryFolder()
    await move({ from: inPostgres(target), to: inFolder(back) })
    expect(contentsOf(back)).toEqual(before)
  }
})

test('nobody opens a target before the move has ended', async () => {
  const folder = smallFolder()
  const target = await freshDatabase()
  await stopAfter(3, inFolder(folder), inPostgres(target))
  const database = await open(target)
  await expect(migrate(database)).rejects.toMatchObject({ code: 'moving' })
  await expect(join(database, 'a')).rejects.toMatchObject({ code: 'moving' })
  const back = temporaryFolder()
  await stopAfter(3, inPostgres(url), inFolder(back))
  await expect(openStorage({ dataFolder: back })).rejects.toMatchObject({ code: 'moving' })
  expect(await discardMove(inFolder(back))).toBe(back)
  await (await openStorage({ dataFolder: back })).close()
})

test('what was copied is discarded, and can be copied again', async () => {
  const target = await freshDatabase()
  await stopAfter(50, inFolder(rich), inPostgres(target))
  const database = await open(target)
  const rows = 'SELECT (SELECT count(*) FROM audit) + (SELECT count(*) FROM devices) AS count'
  expect((await database.row<{ count: number }>(rows))?.count).toBeGreaterThan(100)
  await discardMove(inPostgres(target))
  expect((await database.row<{ count: number }>(rows))?.count).toBe(0)
  expect(await problemOf(discardMove(inPostgres(target)))).toMatchObject({ kind: 'no_move' })
  const again = await move({ from: inFolder(rich), to: inPostgres(target) })
  expect(again.resumed).toBe(false)
})

test('a source that has changed, or is another one, is not continued', async () => {
  const folder = smallFolder()
  const target = await freshDatabase()
  await stopAfter(3, inFolder(folder), inPostgres(target))
  const other = smallFolder()
  expect(await problemOf(move({ from: inFolder(other), to: inPostgres(target) }))).toMatchObject({
    kind: 'other_move',
    source: folder,
  })
  const database = openDatabase(dataFile(folder))
  database.exec('UPDATE catalog_state SET revision = revision + 1')
  database.close()
  expect(await problemOf(move({ from: inFolder(folder), to: inPostgres(target) }))).toEqual({
    kind: 'changed',
    place: folder,
  })
})

test('what a command writes during a move is noticed', async () => {
  const folder = smallFolder()
  let isWritten = false
  const onProgress = () => {
    if (isWritten) return
    isWritten = true
    const database = openDatabase(dataFile(folder))
    database.exec('UPDATE people_state SET revision = revision + 1')
    database.close()
  }
  const target = await freshDatabase()
  const work = move({ from: inFolder(folder), to: inPostgres(target), onProgress })
  expect(await problemOf(work)).toMatchObject({ kind: 'changed' })
})

test('a target with data is refused', async () => {
  const folder = smallFolder()
  expect(await problemOf(move({ from: inFolder(folder), to: inPostgres(url) }))).toMatchObject({
    kind: 'not_empty',
    table: 'apps',
  })
  const database = await open(await freshDatabase())
  await database.run('CREATE TABLE invoices (id integer)')
  const foreign = move({ from: inFolder(folder), to: inPostgres(database.url) })
  expect(await problemOf(foreign)).toMatchObject({ kind: 'foreign', table: 'invoices' })
  const back = move({ from: inPostgres(url), to: inFolder(preparedFolder()) })
  expect(await problemOf(back)).toMatchObject({ kind: 'not_empty', table: null })
})

test('a source that is served, or is none, is refused', async () => {
  const folder = smallFolder()
  const storage = await openStorage({ dataFolder: folder })
  const target = await freshDatabase()
  const work = move({ from: inFolder(folder), to: inPostgres(target) })
  await expect(work).rejects.toMatchObject({ code: 'locked' })
  await storage.close()
  const none = temporaryFolder()
  expect(await problemOf(move({ from: inFolder(none), to: inPostgres(target) }))).toMatchObject({
    kind: 'no_source',
  })
  expect(await problemOf(move({ from: inPostgres(target), to: inFolder(none) }))).toMatchObject({
    kind: 'no_source',
  })
  const database = await open()
  const node = await join(database, 'one')
  const back = () => move({ from: inPostgres(database.url), to: inFolder(none) })
  expect(await problemOf(back())).toMatchObject({ kind: 'in_use', nodes: ['one'] })
  await node.leave()
  await back()
})

test('no node joins a source that is being moved, and no second move begins', async () => {
  const database = await open(url)
  const attempts: Promise<unknown>[] = []
  const onProgress = () => {
    if (attempts.length > 0) return
    attempts.push(expect(join(database, 'late')).rejects.toMatchObject({ code: 'locked' }))
  }
  await move({ from: inPostgres(url), to: inFolder(temporaryFolder()), onProgress })
  await Promise.all(attempts)
  expect(attempts).toHaveLength(1)
  const other = await database.connect()
  await other.query(`SELECT pg_advisory_lock(${MOVE_LOCK})`)
  const second = move({ from: inPostgres(url), to: inFolder(temporaryFolder()) })
  expect(await problemOf(second)).toMatchObject({ kind: 'in_use', nodes: [] })
  await other.end()
})

test.each([
  ['a row is missing', 'DELETE FROM check_ins WHERE id = (SELECT max(id) FROM check_ins)'],
  ['a value is wrong', 'UPDATE check_ins SET profile = profile + 1'],
])('it is noticed when %s in the target', async (_, sql) => {
  const folder = smallFolder()
  const database = await open(await freshDatabase())
  const attempts: Promise<unknown>[] = []
  const onProgress = ({ phase, done, total }: MoveProgress) => {
    // Before anything is compared.
    if (phase === 'copying' && done === total) attempts.push(database.run(sql))
  }
  const controller = new AbortController()
  const from = inFolder(folder)
  const to = inPostgres(database.url)
  const stop = (progress: MoveProgress) => {
    onProgress(progress)
    if (attempts.length > 0) controller.abort(new Error('stopped'))
  }
  await expect(move({ from, to, onProgress: stop, signal: controller.signal })).rejects.toThrow()
  await Promise.all(attempts)
  expect(await problemOf(move({ from, to }))).toMatchObject({
    kind: 'mismatch',
    table: 'check_ins',
  })
})

test('a server that was killed before it wrote all devices is caught up with first', async () => {
  const folder = smallFolder()
  const file = dataFile(folder)
  const behind = openDatabase(file)
  const now = Date.now()
  behind.exec(`INSERT INTO check_ins (id, device, at, profile, kind, previous)
      SELECT last_check_in + 1, 1, ${now}, 1, 1, 1 FROM telemetry_state;
    UPDATE telemetry_state SET last_check_in = last_check_in + 1`)
  behind.close()
  const target = await freshDatabase()
  await move({ from: inFolder(folder), to: inPostgres(target) })
  const database = await open(target)
  const device = await database.row<{ seen: number }>(
    'SELECT last_seen AS seen FROM devices WHERE id = 1',
  )
  expect(device?.seen).toBe(now)
})

test('every table of both engines is moved, or known not to be', async () => {
  const sqlite = openDatabase(dataFile(rich), { readonly: true })
  const inSqlite = sqlite.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
  const known = [...MOVED_TABLES, ...STATE_TABLES]
  expect(inSqlite.pluck().all().sort()).toEqual([...known, ...NOT_MOVED.sqlite].sort())
  sqlite.close()
  const rows = await moved.rows<{ name: string }>(
    `SELECT relname::text AS name FROM pg_class WHERE relkind IN ('r', 'p')
    AND relnamespace = current_schema()::regnamespace AND NOT relispartition`,
  )
  const inPostgreSql = rows.map(({ name }) => name)
  expect(inPostgreSql).toEqual(expect.arrayContaining(known))
  const all = new Set<string>([...known, ...NOT_MOVED.postgres])
  expect(inPostgreSql.filter((name) => !all.has(name))).toEqual([])
})
