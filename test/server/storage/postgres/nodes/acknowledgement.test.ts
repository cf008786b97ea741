// @module-tag postgresql

import { expect, test } from 'vitest'
import { served as isServed } from '../../../../../src/server/storage/postgres/nodes/acknowledgement.ts'
import { eventually } from '../../../../support/eventually.ts'
import { startTcpProxy } from '../../../../support/servers/tcp-proxy.ts'
import { change, join, lapsed, open, served, waiting } from './set-up.ts'

/** Milliseconds that no wait of these tests reaches. */
const LONG = 50_000

test('waits for the node that has not loaded a change', async () => {
  const database = await open()
  const [quick, slow] = await Promise.all([join(database, 'quick'), join(database, 'slow')])
  await Promise.all([served(quick), served(slow)])
  const revision = await change(database)
  quick.setServed('catalog', revision)
  expect(await isServed(database, 'catalog', revision, 300)).toBe(false)
  const answered = isServed(database, 'catalog', revision, LONG)
  slow.setServed('catalog', revision + 1)
  expect(await answered).toBe(true)
  expect(await isServed(database, 'people', 1, 0)).toBe(true)
})

test('waits for a node that is cut off until its lease is over, and not longer', async () => {
  const database = await open()
  const proxy = await startTcpProxy(database.url)
  const [node, lost] = await Promise.all([
    join(database, 'node'),
    join(await open(proxy.url), 'lost', { leaseTime: 1_500 }),
  ])
  await Promise.all([served(node), served(lost)])
  proxy.hang()
  const revision = await change(database)
  node.setServed('catalog', revision)
  const answered = isServed(database, 'catalog', revision, LONG)
  expect(await answered).toBe(true)
  expect(lost.mayServe()).toBe(false)
  // It comes back without having heard of the change.
  proxy.restore()
  const later = isServed(database, 'catalog', revision, LONG)
  expect(await later).toBe(true)
  expect(lost.mayServe()).toBe(false)
  lost.setServed('catalog', revision)
  await served(lost)
  expect(node.mayServe()).toBe(true)
})

test('does not wait for a node that has left, or that has not begun to serve', async () => {
  const database = await open()
  const left = await join(database, 'left')
  await served(left)
  const revision = await change(database)
  await left.leave()
  const starting = await join(database, 'starting')
  expect(await isServed(database, 'catalog', revision, LONG)).toBe(true)
  await lapsed(starting)
})

test('a lease that is over at the moment of the answer is not renewed', async () => {
  const database = await open()
  const node = await join(database, 'node', { leaseTime: 1_000 })
  await served(node)
  const revision = await change(database)
  await database.run('UPDATE leases SET lease_until = clock_timestamp()')
  expect(await isServed(database, 'catalog', revision, LONG)).toBe(true)
  await lapsed(node)
})

test('waits for a renewal that is being committed', async () => {
  const database = await open()
  const node = await join(database, 'node')
  await served(node)
  const revision = await change(database)
  const lease = (until: string) =>
    `UPDATE leases SET lease_until = clock_timestamp() + interval '${until}'`
  // The lease is over, and its renewal began just before.
  await node.leave()
  await database.run(`INSERT INTO leases (node, lease_until) VALUES (${node.id}, '2000-01-01')`)
  const answered = await database.transaction(async (tx) => {
    await tx.run(lease('1 hour'))
    const answer = isServed(database, 'catalog', revision, 300)
    await waiting(database)
    return { answer }
  })
  expect(await answered.answer).toBe(false)
  await database.run(lease('0'))
  expect(await isServed(database, 'catalog', revision, LONG)).toBe(true)
})

test('a node does not get its lease beside a change that is being committed', async () => {
  const database = await open()
  const node = await database.transaction(async (tx) => {
    await tx.run('UPDATE catalog_state SET revision = revision + 1')
    const joined = await join(database, 'node', { leaseTime: 4_000 })
    await waiting(database)
    return joined
  })
  const seen = () => database.row('SELECT seen_at FROM leases WHERE node = $1', [node.id])
  // The answer to the attempt that waited has come before the next one is made.
  for (let attempt = 1; attempt <= 2; attempt++) {
    const before = await seen()
    await eventually(async () => expect(await seen()).not.toEqual(before))
  }
  expect(node.mayServe()).toBe(false)
  node.setServed('catalog', 1)
  await served(node)
})
