// @module-tag postgresql

import { expect, test } from 'vitest'
import type { PostgresDatabase } from '../../../../../../src/server/storage/postgres/connection/database.ts'
import { labelsToText } from '../../../../../../src/server/storage/postgres/fleet/ingest/stored-labels.ts'
import { DeviceLabels } from '../../../../../../src/server/storage/postgres/fleet/labels/device-labels.ts'
import { PendingLabels } from '../../../../../../src/server/storage/postgres/fleet/labels/pending-labels.ts'
import type { LabelMap } from '../../../../../../src/shared/names.ts'
import { insert, openDatabase } from '../open-database.ts'

const [APP, OTHER_APP] = [1, 2]

async function setUp(most?: number) {
  const database = await openDatabase()
  const facts = 'id, app_key, device_id, profile, first_seen, last_seen, last_check_in, last_change'
  await insert(database, 'devices', facts, [
    [1, APP, 'one', 1, 1, 1, 1, 1],
    [2, APP, 'two', 1, 1, 1, 1, 1],
    [3, OTHER_APP, 'one', 1, 1, 1, 1, 1],
    [4, APP, 'bare', 1, 1, 1, 1, 1],
  ])
  await insert(database, 'device_labels', 'device, labels', [
    [1, { ring: 'beta' }],
    [2, { ring: 'stable' }],
    [3, { ring: 'other' }],
  ])
  const clock = { now: 0 }
  const statements: { of: number }[] = []
  const watched = watch(database, statements)
  const pending = new PendingLabels()
  const labels = new DeviceLabels(watched, { pending, most, elapsed: () => clock.now })
  return { database, labels, pending, clock, statements }
}

/** The database, which notes how many devices each statement asks for. */
function watch(database: PostgresDatabase, statements: { of: number }[]) {
  return {
    location: database.location,
    row: database.row.bind(database),
    run: database.run.bind(database),
    rows: <Row>(...call: Parameters<PostgresDatabase['rows']>) => {
      const [, parameters] = call
      const [apps] = Array.isArray(parameters) ? parameters : []
      statements.push({ of: apps.length })
      return database.rows<Row>(...call)
    },
  }
}

function change(database: PostgresDatabase, device: number, labels: LabelMap): Promise<number> {
  return database.run('UPDATE device_labels SET labels = $1 WHERE device = $2', [labels, device])
}

test('labels are read once, in the given order, and are in memory then', async () => {
  const { labels, statements } = await setUp()
  expect(labels.inMemory(APP, 'one')).toBeUndefined()
  expect(await labels.of(APP, ['two', 'nobody', 'one', 'bare', 'two', 'no\0body'])).toEqual([
    { ring: 'stable' },
    {},
    { ring: 'beta' },
    {},
    { ring: 'stable' },
    {},
  ])
  expect(labels.inMemory(APP, 'one')).toEqual({ ring: 'beta' })
  expect(labels.inMemory(APP, 'nobody')).toEqual({})
  expect(labels.inMemory(OTHER_APP, 'one')).toBeUndefined()
  expect(await labels.of(OTHER_APP, ['one', 'two'])).toEqual([{ ring: 'other' }, {}])
  await labels.of(APP, ['one', 'two', 'bare'])
  expect(statements).toHaveLength(2)
})

test('labels with any character are read as they were stored', async () => {
  const { database, labels } = await setUp()
  const strange = { ring: 'a\0b\uffffc' }
  const text = labelsToText(strange)
  await database.run('UPDATE device_labels SET labels = $1 WHERE device = 1', [text])
  expect(await labels.of(APP, ['one'])).toEqual([strange])
})

test('what another node stores is seen after a second', async () => {
  const { database, labels, clock } = await setUp()
  await labels.of(APP, ['one'])
  await change(database, 1, { ring: 'new' })
  clock.now = 999
  expect(await labels.of(APP, ['one'])).toEqual([{ ring: 'beta' }])
  clock.now = 1_000
  expect(labels.inMemory(APP, 'one')).toBeUndefined()
  expect(await labels.of(APP, ['one'])).toEqual([{ ring: 'new' }])
})

test('what this node stores is seen at once, even by a read that began before', async () => {
  const { database, labels } = await setUp()
  // The read waits for the lock.
  const writer = await database.connect()
  await writer.query('BEGIN; LOCK TABLE device_labels IN ACCESS EXCLUSIVE MODE')
  const reading = labels.of(APP, ['one'])
  labels.stored(APP, 'one', { ring: 'newest' })
  expect(labels.inMemory(APP, 'one')).toEqual({ ring: 'newest' })
  await writer.query('UPDATE device_labels SET labels = $1 WHERE device = 1', [{ ring: 'new' }])
  await writer.query('COMMIT')
  await writer.end()
  expect(await reading).toEqual([{ ring: 'newest' }])
  expect(labels.inMemory(APP, 'one')).toEqual({ ring: 'newest' })
})

test('many reads at a time are few statements', async () => {
  const { labels, statements } = await setUp()
  const asked = Array.from({ length: 500 }, (_, n) => labels.of(APP, [n % 2 ? 'one' : `d${n}`]))
  await Promise.resolve()
  const later = Array.from({ length: 500 }, (_, n) => labels.of(OTHER_APP, [`d${n}`]))
  const read = await Promise.all([...asked, ...later])
  expect(read[1]).toEqual([{ ring: 'beta' }])
  expect(read[2]).toEqual([{}])
  expect(statements.length).toBeLessThanOrEqual(3)
  expect(statements[0]).toEqual({ of: 251 })
})

test('the cache forgets the oldest device beyond its limit', async () => {
  const { labels } = await setUp(2)
  await labels.of(APP, ['one', 'two'])
  labels.stored(APP, 'one', {})
  labels.stored(APP, 'three', {})
  expect(labels.inMemory(APP, 'two')).toBeUndefined()
  expect(labels.inMemory(APP, 'one')).toEqual({})
  expect(labels.inMemory(APP, 'three')).toEqual({})
})

test('a failed read rejects for everyone who waits, and the next one succeeds', async () => {
  const { database, labels } = await setUp()
  await database.run('ALTER TABLE device_labels RENAME TO gone')
  const reads = await Promise.allSettled([labels.of(APP, ['one']), labels.of(APP, ['two'])])
  expect(reads.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await database.run('ALTER TABLE gone RENAME TO device_labels')
  expect(await labels.of(APP, ['one'])).toEqual([{ ring: 'beta' }])
})

test('labels have what this node has recorded and not stored yet, in the order in which it came', async () => {
  const { labels, pending } = await setUp()
  const change = (set: LabelMap, remove: string[] = []) =>
    ({ kind: 'labels', delta: { appKey: APP, deviceId: 'one', at: 1, set, remove } }) as const
  const changes = [change({ site: 'a', ring: 'x' }), change({ ring: 'y' }, ['site'])] as const
  for (const fact of changes) pending.add(fact)
  expect(await labels.of(APP, ['one', 'two'])).toEqual([{ ring: 'y' }, { ring: 'stable' }])
  expect(labels.inMemory(APP, 'one')).toEqual({ ring: 'y' })
  // The first one is stored while the second one is not.
  labels.stored(APP, 'one', { site: 'a', ring: 'x' })
  pending.remove(changes[0])
  expect(labels.inMemory(APP, 'one')).toEqual({ ring: 'y' })
  labels.stored(APP, 'one', { ring: 'y' })
  pending.remove(changes[1])
  labels.stored(APP, 'one', { ring: 'z' })
  expect(labels.inMemory(APP, 'one')).toEqual({ ring: 'z' })
})
