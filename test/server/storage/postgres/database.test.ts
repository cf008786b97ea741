// @module-tag postgresql

import { expect, onTestFinished, test } from 'vitest'
import { PostgresDatabase } from '../../../../src/server/storage/postgres/connection/database.ts'
import { MIGRATIONS } from '../../../../src/server/storage/postgres/migrations/index.ts'
import { migrate } from '../../../../src/server/storage/postgres/migrations/migrate.ts'
import { usableState } from '../../../../src/server/storage/postgres/migrations/usable-state.ts'
import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { preparedFolder } from '../../../support/builders/folders.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import { startEndingServer } from './ending-server.ts'

async function open(options?: { prepared: boolean }): Promise<PostgresDatabase> {
  const database = new PostgresDatabase(await freshDatabase(options))
  onTestFinished(() => database.close())
  return database
}

test('several nodes that start at the same time migrate once', async () => {
  const database = await open()
  const known = MIGRATIONS.length
  expect(await usableState(database)).toEqual({ number: 0, readableFrom: 0 })
  const results = await Promise.all([1, 2, 3, 4].map(() => migrate(database)))
  expect(results.filter(({ from }) => from === 0)).toHaveLength(1)
  expect(results.filter(({ from, to }) => from === known && to === known)).toHaveLength(3)
})

test('a migration that fails leaves nothing behind', async () => {
  const database = await open({ prepared: true })
  const number = MIGRATIONS.length + 1
  const failing = { number, name: 'failing', readableFrom: 1, sql: 'CREATE TABLE half (); oops' }
  await expect(migrate(database, [...MIGRATIONS, failing])).rejects.toMatchObject({
    code: 'failed',
  })
  const half = await database.row<{ there: boolean }>(
    "SELECT to_regclass('half') IS NOT NULL AS there",
  )
  expect(half).toEqual({ there: false })
  expect(await usableState(database)).toMatchObject({ number: MIGRATIONS.length })
})

test('a program that is too old is refused, and one that can still read is not', async () => {
  const database = await open({ prepared: true })
  const next = { number: MIGRATIONS.length + 1, name: 'next', sql: 'SELECT 1' }
  await migrate(database, [...MIGRATIONS, { ...next, readableFrom: MIGRATIONS.length }])
  const to = MIGRATIONS.length + 1
  expect(await migrate(database)).toEqual({ from: to, to })
  const after = { ...next, number: next.number + 1, readableFrom: next.number + 1 }
  await migrate(database, [...MIGRATIONS, { ...next, readableFrom: 1 }, after])
  await expect(migrate(database)).rejects.toMatchObject({
    code: 'newer_database',
    problem: { circumstance: { found: MIGRATIONS.length + 2, known: MIGRATIONS.length } },
  })
})

test('a migration that older nodes could not read waits until they have stopped', async () => {
  const database = await open({ prepared: true })
  const number = MIGRATIONS.length + 1
  const contract = { number, name: 'contract', readableFrom: number, sql: 'SELECT 1' }
  await database.run(`WITH joined AS (
      INSERT INTO nodes (slot, name, version, schema)
      VALUES (1, 'old', '1.0.0', ${MIGRATIONS.length}) RETURNING id)
    INSERT INTO leases (node, lease_until)
    SELECT id, clock_timestamp() + interval '1 minute' FROM joined`)
  await expect(migrate(database, [...MIGRATIONS, contract])).rejects.toMatchObject({
    code: 'outdated',
  })
  await database.run('UPDATE nodes SET ended_at = clock_timestamp()')
  expect(await migrate(database, [...MIGRATIONS, contract])).toEqual({
    from: number - 1,
    to: number,
  })
})

test('an attempt that fails undoes itself alone', async () => {
  const database = await open()
  await database.run('CREATE TABLE numbers (n integer PRIMARY KEY)')
  await database.transaction(async (tx) => {
    await tx.run('INSERT INTO numbers VALUES (1)')
    const twice = tx.attempt(() => tx.run('INSERT INTO numbers VALUES (2), (1)'))
    await expect(twice).rejects.toMatchObject({ code: 'rejected' })
    await tx.run('INSERT INTO numbers VALUES (@n)', { n: 3 })
  })
  expect(await database.rows('SELECT n FROM numbers ORDER BY n')).toEqual([{ n: 1 }, { n: 3 }])
})

test('a transaction whose work rejects, and one that was aborted, are undone', async () => {
  const database = await open()
  await database.run('CREATE TABLE numbers (n integer PRIMARY KEY)')
  const refused = new Error('refused')
  const work = database.transaction(async (tx) => {
    await tx.run('INSERT INTO numbers VALUES (1)')
    throw refused
  })
  await expect(work).rejects.toBe(refused)
  const hidden = database.transaction(async (tx) => {
    await tx.run('INSERT INTO numbers VALUES (2)')
    await tx.run('oops').catch(() => {})
  })
  await expect(hidden).rejects.toThrow()
  expect(await database.rows('SELECT n FROM numbers')).toEqual([])
})

test('a transaction compiles no statement, and leaves the connection as it was', async () => {
  const database = await open()
  const jit = 'SHOW jit'
  const before = await database.row(jit)
  expect(await database.transaction((tx) => tx.row(jit))).toEqual({ jit: 'off' })
  expect(await database.row(jit)).toEqual(before)
})

test('arrays of numbers and of texts are stored as they are', async () => {
  const database = await open()
  const texts = ['', 'NULL', 'a"b', 'c\\d', '{e,f}', ' g ', 'h\0i', '\u0001', "j'k", 'ü\n']
  const numbers = [0, -1, 2 ** 52 + 1]
  const rows = await database.rows<{ text: string }>(
    'SELECT text FROM unnest($1::text[]) AS text',
    [texts],
  )
  expect(rows.map(({ text }) => text)).toEqual(texts)
  const numbered = await database.rows<{ n: number }>('SELECT n FROM unnest($1::bigint[]) AS n', [
    numbers,
  ])
  expect(numbered.map(({ n }) => n)).toEqual(numbers)
  expect(await database.rows('SELECT n FROM unnest($1::bigint[]) AS n', [[]])).toEqual([])
  expect(await database.row('SELECT $1::text[] AS texts', [['a', null]])).toEqual({
    texts: ['a', null],
  })
})

test('numbers come as numbers, and JSON as text', async () => {
  const database = await open()
  const row = await database.row(
    `SELECT 9007199254740991::bigint AS big, sum(n) AS total, '{"b":1,"a":2}'::json AS json
     FROM generate_series(1, 3) AS n`,
  )
  expect(row).toEqual({ big: Number.MAX_SAFE_INTEGER, total: 6, json: '{"b":1,"a":2}' })
})

test.each([
  ['postgres://nobody@127.0.0.1:1/none', 'unreachable'],
  [undefined, 'unopenable'],
])('a database that cannot be opened says so: %s', async (url, code) => {
  const wrong = (await freshDatabase()).replace(/test_.*/, 'no_such_database')
  const database = new PostgresDatabase(url ?? wrong)
  onTestFinished(() => database.close())
  await expect(database.row('SELECT 1')).rejects.toMatchObject({ code })
})

test('a connection that the server ends when it is given to its user fails, and the process goes on', async () => {
  const { url, ended } = await startEndingServer()
  const database = new PostgresDatabase(url, 1)
  onTestFinished(() => database.close())
  const unreachable = { code: 'unreachable' }
  await expect(database.transaction((tx) => tx.row('SELECT 1'))).rejects.toMatchObject(unreachable)
  await expect(database.row('SELECT 1')).rejects.toMatchObject(unreachable)
  const client = await database.connect()
  await expect(client.query('SELECT 1')).rejects.toThrow()
  expect(ended.count).toBe(3)
})

test('a transaction that does nothing does not hold up others', async () => {
  const database = await open({ prepared: true })
  const change = 'UPDATE catalog_state SET revision = revision + 1'
  const locked = Promise.withResolvers<void>()
  const never = Promise.withResolvers<void>()
  const idle = database.transaction(async (tx) => {
    await tx.run(change)
    locked.resolve()
    await never.promise
  })
  await locked.promise
  expect(await database.transaction((tx) => tx.run(change))).toBe(1)
  never.resolve()
  await expect(idle).rejects.toMatchObject({ code: 'unreachable' })
})

/** Tables of the catalog, of people and of the outbox: what both engines read and write with the same columns. */
const TABLES = [
  ...['catalog_state', 'apps', 'channels', 'releases', 'artifacts', 'api_keys', 'audit'],
  ...['change_requests', 'drafts', 'proofs', 'plans', 'erasures'],
  ...['release_sessions', 'session_devices'],
  ...['people_state', 'accounts', 'account_app_roles', 'sessions', 'account_links', 'passkeys'],
  ...['totp_secrets', 'recovery_codes', 'account_identities'],
  ...['outbox_state', 'webhooks', 'deliveries'],
]

test('the engines have the same columns', async () => {
  const sqlite = openDatabase(dataFile(preparedFolder()))
  const postgres = new PostgresDatabase(await freshDatabase({ prepared: true }))
  onTestFinished(async () => {
    sqlite.close()
    await postgres.close()
  })
  const columns = sqlite.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck()
  // What makes a row the only one of its table is named differently.
  const isShared = (name: string) => name !== 'one' && name !== 'only'
  for (const table of TABLES) {
    const rows = await postgres.rows<{ name: string }>(
      `SELECT column_name::text AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1`,
      [table],
    )
    const found = rows
      .map(({ name }) => name)
      .filter(isShared)
      .sort()
    expect([table, ...found]).toEqual([table, ...columns.all(table).filter(isShared).sort()])
  }
})
