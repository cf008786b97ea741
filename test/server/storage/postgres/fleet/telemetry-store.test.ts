// @module-tag postgresql

import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { expectExact } from '../../../../support/postgres/recount.ts'
import { freshDatabase } from '../../../../support/postgres/shared-cluster.ts'
import { startTcpProxy } from '../../../../support/servers/tcp-proxy.ts'
import {
  aCheckIn,
  checkInOf,
  type TelemetryNode as Node,
  openTelemetryNode,
  START,
  storeChannels,
} from './telemetry-node.ts'

let database: PostgresDatabase

beforeAll(async () => {
  database = new PostgresDatabase(await freshDatabase({ prepared: true }), 20)
  await storeChannels(database)
})
afterAll(() => database?.close())

const openNode = () => openTelemetryNode(database)

/** A check-in as `checkInOf` takes it. */
const from = (device: number): Parameters<typeof checkInOf>[0] => ({
  ...{ device, channelKey: 1, version: '1.0.0', minutes: 1 },
  ...{ answer: 'up_to_date', release: 0, node: 0 },
})

test('counters equal a recount, whatever several nodes write at once', async () => {
  const writers = await Promise.all([openNode(), openNode(), openNode()])
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(aCheckIn, { maxLength: 20 }), { maxLength: 4 }),
      async (rounds) => {
        for (const round of rounds) {
          for (const each of round) {
            writers[each.node]?.facts.add({
              kind: 'check_in',
              checkIn: checkInOf(each),
              labels: undefined,
            })
          }
          await Promise.all(writers.map((writer) => writer.flush()))
        }
        await expectExact(database)
      },
    ),
    { numRuns: 15 },
  )
})

test('four nodes hammer the same devices, and nothing is lost or counted twice', async () => {
  const writers = await Promise.all([openNode(), openNode(), openNode(), openNode()])
  const before = await database.row<{ count: number }>('SELECT count(*) AS count FROM check_ins')
  const hammer = async ({ facts, flush }: Node, start: number) => {
    for (let round = 0; round < 10; round++) {
      for (let device = 0; device < 60; device++) {
        const checkIn = checkInOf({
          ...{ device: 100 + ((device * 7 + start) % 60), channelKey: 1, version: '2.0.0' },
          ...{ minutes: round, answer: 'update', release: device % 2, node: 0 },
        })
        facts.add({ kind: 'check_in', checkIn, labels: undefined })
      }
      await flush()
    }
  }
  await Promise.all(writers.map((writer, at) => hammer(writer, at * 13)))
  const after = await database.row<{ count: number }>('SELECT count(*) AS count FROM check_ins')
  expect((after?.count ?? 0) - (before?.count ?? 0)).toBe(4 * 10 * 60)
  await expectExact(database)
})

test('a batch that is given again after its commit changes nothing', async () => {
  const { facts, flush, store } = await openNode()
  const checkIn = checkInOf(from(200))
  facts.add({ kind: 'check_in', checkIn, labels: undefined })
  const batch = await flush()
  const count = () => database.row('SELECT count(*) AS count FROM check_ins')
  const before = await count()
  await store.commit({ ...batch, done: 0 })
  expect(await count()).toEqual(before)
})

test('a node that has ended stores nothing', async () => {
  const { id, facts, store } = await openNode()
  await database.run('UPDATE nodes SET ended_at = now() WHERE id = $1', [id])
  const checkIn = checkInOf(from(201))
  facts.add({ kind: 'check_in', checkIn, labels: undefined })
  await expect(store.commit(facts.takeBatch())).rejects.toMatchObject({ code: 'unwritable' })
  expect(await database.rows("SELECT FROM devices WHERE device_id = 'device-201'")).toEqual([])
})

test('labels are merged, U+0000 included, within the limit of a device', async () => {
  const { facts, flush, budgets } = await openNode()
  const named = { appKey: 1, deviceId: 'labelled' }
  const report = {
    ...named,
    at: START,
    version: '1.0.0',
    platform: 'linux',
    arch: 'x86_64',
    newOn: 1,
  }
  const labels = (set: Record<string, string>, remove: string[] = []) => ({
    ...named,
    at: START,
    set,
    remove,
  })
  facts.addAll({
    checkIns: [],
    reports: [report],
    labelDeltas: [labels({ ring: 'a\0b\uFFFF', site: 'x' })],
  })
  await flush()
  facts.addAll({
    checkIns: [],
    reports: [],
    labelDeltas: [labels({ long: 'y'.repeat(100) }, ['site'])],
  })
  await flush()
  const row = await database.row<{ labels: string }>(
    "SELECT labels FROM device_labels JOIN devices ON id = device WHERE device_id = 'labelled'",
  )
  expect(JSON.parse(row?.labels ?? '')).toEqual({ ring: 'a\uFFFF0b\uFFFF1' })
  expect(budgets).toEqual(['labels'])
})

test('a caller whose budget is used up adds no device, but is counted', async () => {
  const { facts, flush } = await openNode()
  const checkIn = checkInOf({ ...from(202), channelKey: 2 })
  facts.add({ kind: 'check_in', checkIn: { ...checkIn, caller: 'greedy' }, labels: undefined })
  await flush()
  expect(await database.rows("SELECT FROM devices WHERE device_id = 'device-202'")).toEqual([])
  await expectExact(database)
})

test('what a salvage has committed is not stored again when the answer is lost', async () => {
  const proxy = await startTcpProxy(database.url)
  const remote = new PostgresDatabase(proxy.url, 2)
  onTestFinished(() => remote.close())
  const { facts, store } = await openTelemetryNode(remote)
  for (const device of [400, 401, 402, 403]) {
    const checkIn = checkInOf(from(device))
    facts.add({ kind: 'check_in', checkIn, labels: undefined })
  }
  await database.run(`CREATE FUNCTION refuse_one() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING ERRCODE = '23514'; END $$`)
  await database.run(`CREATE TRIGGER refuse_one BEFORE INSERT ON devices FOR EACH ROW
    WHEN (NEW.device_id = 'device-402') EXECUTE FUNCTION refuse_one()`)
  const [before] = await database.rows<{ count: number }>('SELECT count(*) AS count FROM set_aside')
  const batch = facts.takeBatch()
  // Each fact is committed and nobody hears of it: the next attempt finds that out, and is cut at the next one.
  let interrupted = 0
  for (let isDone = false; !isDone; ) {
    void proxy.cutAt('COMMIT', 'after', { skipped: interrupted === 0 ? 0 : 1 })
    isDone = await store.salvage(batch).then(
      () => true,
      (error) => {
        expect(error).toMatchObject({ code: 'unreachable' })
        return false
      },
    )
    if (!isDone) interrupted++
  }
  expect(interrupted).toBe(4)
  await database.run('DROP FUNCTION refuse_one CASCADE')
  const stored = await database.rows(`SELECT device_id, count(*) AS "checkIns"
    FROM devices JOIN check_ins ON check_ins.device = devices.id
    WHERE device_id LIKE 'device-40_' GROUP BY 1 ORDER BY 1`)
  const once = (device: number) => ({ device_id: `device-${device}`, checkIns: 1 })
  expect(stored).toEqual([400, 401, 403].map(once))
  const [after] = await database.rows<{ count: number }>('SELECT count(*) AS count FROM set_aside')
  expect((after?.count ?? 0) - (before?.count ?? 0)).toBe(1)
  await expectExact(database)
})

test('a salvage that is interrupted goes on behind what it has stored', async () => {
  const { facts, store } = await openNode()
  for (const device of [300, 301, 302]) {
    const checkIn = checkInOf(from(device))
    facts.add({ kind: 'check_in', checkIn, labels: undefined })
  }
  const batch = facts.takeBatch()
  await database.run(`CREATE FUNCTION interrupt() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION USING ERRCODE = '57P01'; END $$`)
  await database.run(`CREATE TRIGGER interrupt BEFORE INSERT ON devices FOR EACH ROW
    WHEN (NEW.device_id = 'device-301') EXECUTE FUNCTION interrupt()`)
  await expect(store.salvage(batch)).rejects.toMatchObject({ code: 'unreachable' })
  await database.run('DROP FUNCTION interrupt CASCADE')
  expect(await store.salvage(batch)).toBe(0)
  const stored = await database.rows(`SELECT device_id, count(*) AS "checkIns"
    FROM devices JOIN check_ins ON check_ins.device = devices.id
    WHERE device_id IN ('device-300', 'device-301', 'device-302') GROUP BY 1 ORDER BY 1`)
  const once = (device: number) => ({ device_id: `device-${device}`, checkIns: 1 })
  expect(stored).toEqual([300, 301, 302].map(once))
  await expectExact(database)
})
