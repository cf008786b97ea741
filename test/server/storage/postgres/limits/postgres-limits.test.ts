// @module-tag postgresql

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SharedBuckets } from '../../../../../src/server/runtime/limits/shared-buckets.ts'
import { postgresLimits } from '../../../../../src/server/storage/postgres/nodes/nodes.ts'
import { startTcpProxy } from '../../../../support/servers/tcp-proxy.ts'
import { open } from '../nodes/set-up.ts'

/** So long that nothing refills while a test runs. */
const DAY = 86_400_000

test('two nodes together allow a limit, and at most a block each beyond it', async () => {
  const database = await open()
  let run = 0
  const requests = fc.array(
    fc.record({ node: fc.nat(1), several: fc.integer({ min: 1, max: 20 }) }),
    {
      ...{ minLength: 10, maxLength: 60 },
    },
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 200 }), requests, async (capacity, groups) => {
      const key = `key:${run++}`
      const options = { capacity, period: DAY, sharers: { count: 2 } }
      const nodes = [1, 2].map(
        () => new SharedBuckets({ ...options, store: postgresLimits(database) }),
      )
      let [asked, allowed] = [0, 0]
      for (const { node, several } of groups) {
        const taken = Array.from({ length: several }, () => nodes[node]?.take(key))
        for (const verdict of await Promise.all(taken)) {
          asked++
          if (verdict?.allowed) allowed++
        }
      }
      const block = Math.max(1, Math.ceil(capacity / 10))
      expect(allowed).toBeLessThanOrEqual(capacity + 2 * block)
      expect(allowed).toBeGreaterThanOrEqual(Math.min(asked, capacity))
    }),
    { numRuns: 25 },
  )
})

test('a bucket refills by the clock of the database, and is overdrawn by at most what it holds', async () => {
  const database = await open()
  const limits = postgresLimits(database)
  const charged = await limits.charge(
    [
      { name: 'b', used: DAY / 4 },
      { name: 'a', used: 0 },
    ],
    DAY,
  )
  expect(charged.get('a')).toBe(0)
  expect(charged.get('b')).toBeGreaterThan(DAY / 5)
  expect(charged.get('b')).toBeLessThanOrEqual(DAY / 4)
  const more = await limits.charge([{ name: 'b', used: 10 * DAY }], DAY)
  expect(more.get('b')).toBeGreaterThan(1.9 * DAY)
  expect(more.get('b')).toBeLessThanOrEqual(2 * DAY)
  await database.run("UPDATE rate_limits SET full_at = full_at - interval '3 days'")
  const later = await limits.charge([{ name: 'b', used: 1_000 }], DAY)
  expect(later.get('b')).toBeLessThanOrEqual(1_000)
})

test('nodes that charge the same keys at the same time count all of it', async () => {
  const database = await open()
  const names = Array.from({ length: 20 }, (_, n) => `key:${n}`)
  const charge = (order: readonly string[]) =>
    postgresLimits(database).charge(
      order.map((name) => ({ name, used: DAY / 100 })),
      DAY,
    )
  await Promise.all([1, 2, 3, 4, 5].flatMap(() => [charge(names), charge(names.toReversed())]))
  const missing = await postgresLimits(database).charge([{ name: 'key:7', used: 0 }], DAY)
  expect(missing.get('key:7')).toBeGreaterThan(DAY / 11)
  expect(missing.get('key:7')).toBeLessThanOrEqual(DAY / 10)
})

test('without the database, a node allows its part of the limit', async () => {
  const database = await open()
  const proxy = await startTcpProxy(database.url)
  const store = postgresLimits(await open(proxy.url))
  const buckets = new SharedBuckets({ capacity: 100, period: DAY, sharers: { count: 4 }, store })
  proxy.cut()
  let allowed = 0
  while ((await buckets.take('key:1')).allowed) allowed++
  expect(allowed).toBe(25)
})
