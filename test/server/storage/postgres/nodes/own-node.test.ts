// @module-tag postgresql

import { expect, test, vi } from 'vitest'
import { liveNodes } from '../../../../../src/server/storage/postgres/nodes/live-nodes.ts'
import {
  cleanUpNodes,
  unregister,
} from '../../../../../src/server/storage/postgres/nodes/registration.ts'
import { eventually } from '../../../../support/eventually.ts'
import { startTcpProxy } from '../../../../support/servers/tcp-proxy.ts'
import { age, change, FIRST, join, lapsed, open, served, waiting } from './set-up.ts'

test('nodes that join at the same time have slots of their own, and a slot is used again', async () => {
  const database = await open()
  const nodes = await Promise.all([1, 2, 3, 4, 5].map((n) => join(database, `node ${n}`)))
  expect(nodes.map(({ slot }) => slot).sort()).toEqual([1, 2, 3, 4, 5])
  const second = nodes.find(({ slot }) => slot === 2)
  await second?.leave()
  expect(second?.mayServe()).toBe(false)
  const next = await join(database, 'next')
  expect(next.slot).toBe(2)
  expect(next.id).toBeGreaterThan(Math.max(...nodes.map(({ id }) => id)))
})

test('a node that finds its slot taken by one that joined meanwhile takes the next one', async () => {
  const database = await open()
  const joining = await database.transaction(async (tx) => {
    await tx.run("INSERT INTO nodes (slot, name, version, schema) VALUES (1, 'first', '1.0.0', 1)")
    const node = join(database, 'second')
    await waiting(database)
    return { node }
  })
  expect((await joining.node).slot).toBe(2)
})

test('a lease is renewed while the main thread is blocked for longer than it lasts', async () => {
  const node = await join(await open(), 'busy', { leaseTime: 2_000 })
  await served(node)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4_500)
  expect(node.mayServe()).toBe(true)
})

test.each(['cut', 'hang'] as const)(
  'a lease ends here before it ends in the database: %s',
  async (fault) => {
    const database = await open()
    const proxy = await startTcpProxy(database.url)
    const node = await join(await open(proxy.url), 'remote', { leaseTime: 2_000 })
    await served(node)
    proxy[fault]()
    await lapsed(node)
    expect(node.leaseLeft()).toBe(0)
    expect(await liveNodes(database)).toMatchObject([{ id: node.id }])
    proxy.restore()
    await served(node)
    expect(await liveNodes(database)).toMatchObject([{ id: node.id }])
  },
)

test('the lease here is never longer than in the database', async () => {
  const database = await open()
  const node = await join(database, 'node', { leaseTime: 1_000 })
  await served(node)
  for (let look = 0; look < 50; look++) {
    const here = node.leaseLeft()
    const [there] = await liveNodes(database)
    const later = node.leaseLeft()
    // Renewed in between, or as much as it was and what passed meanwhile.
    if (later <= here) expect(there?.leaseLeft).toBeGreaterThanOrEqual(later)
  }
})

test('a node has no lease before it serves the current revisions', async () => {
  const database = await open()
  const revision = await change(database)
  const node = await join(database, 'behind', { leaseTime: 1_000 })
  await eventually(async () => {
    const seen = await database.row<{ seen: boolean }>(
      'SELECT seen_at > started_at AS seen FROM leases JOIN nodes ON node = id',
    )
    expect(seen).toEqual({ seen: true })
  })
  expect(node.mayServe()).toBe(false)
  expect(await liveNodes(database)).toMatchObject([{ leaseLeft: 0, served: FIRST }])
  node.setServed('catalog', revision)
  await served(node)
})

test('a node that gets no further with newer changes loses its lease until it serves them', async () => {
  const database = await open()
  const node = await join(database, 'stuck', { leaseTime: 1_000 })
  await served(node)
  await change(database)
  const revision = await change(database)
  node.setServed('catalog', revision - 1)
  await lapsed(node)
  expect(node.mayServe()).toBe(false)
  node.setServed('catalog', revision)
  await served(node)
})

test('a node of a schema that is too old gets no lease', async () => {
  const database = await open()
  await database.run("INSERT INTO tidegate_schema VALUES (1000, 'next', 1000)")
  const node = await join(database, 'old', { leaseTime: 500 })
  const newer = await join(database, 'new', { leaseTime: 500, schema: 1_000 })
  await served(newer)
  expect(node.mayServe()).toBe(false)
})

test('a node that others have ended joins again with another id, and serves once it is current', async () => {
  const database = await open()
  const other = await join(database, 'other')
  const node = await join(database, 'node', { leaseTime: 1_000 })
  node.announce('http://node')
  await served(node)
  const before = { id: node.id, slot: node.slot }
  const revision = await change(database)
  const fenced = vi.fn()
  node.onFenced(fenced)
  await unregister(database, node.id)
  // The slot is another's before the node comes back.
  const taken = await join(database, 'taken')
  expect([other.slot, taken.slot]).toEqual([1, before.slot])
  await eventually(() => expect(fenced).toHaveBeenCalledOnce())
  expect(node.id).toBeGreaterThan(before.id)
  expect(node.slot).toBe(3)
  expect(node.mayServe()).toBe(false)
  node.setServed('catalog', revision)
  await served(node)
  expect((await liveNodes(database)).map(({ id, address }) => ({ id, address }))).toEqual([
    { id: other.id, address: null },
    { id: taken.id, address: null },
    { id: node.id, address: 'http://node' },
  ])
})

test('a node waits for its first lease, and not for ever', async () => {
  const database = await open()
  const node = await join(database, 'node')
  await node.startServing()
  expect(node.mayServe()).toBe(true)
  const behind = await join(database, 'behind', {
    ...{ served: { catalog: -1, people: -1 }, leaseTime: 100 },
  })
  await behind.startServing()
  expect(behind.mayServe()).toBe(false)
})

test('nodes without a sign of life are ended, and deleted after a day', async () => {
  const database = await open()
  const proxy = await startTcpProxy(database.url)
  const dead = await join(await open(proxy.url), 'dead', { leaseTime: 1_000 })
  const alive = await join(database, 'alive')
  await Promise.all([served(dead), served(alive)])
  proxy.cut()
  await lapsed(dead)
  await cleanUpNodes(database)
  expect(await liveNodes(database)).toHaveLength(2)
  await age(database, dead)
  await cleanUpNodes(database)
  expect(await liveNodes(database)).toMatchObject([{ name: 'alive' }])
  const names = () => database.rows('SELECT name FROM nodes ORDER BY id')
  expect(await names()).toEqual([{ name: 'dead' }, { name: 'alive' }])
  await database.run("UPDATE nodes SET ended_at = ended_at - interval '25 hours'")
  await cleanUpNodes(database)
  expect(await names()).toEqual([{ name: 'alive' }])
})

test('others see what a node tells, the latest of each', async () => {
  const database = await open()
  const node = await join(database, 'node')
  node.announce('http://first')
  node.announce('http://last')
  for (let n = 1; n <= 20; n++) node.setServed('catalog', n)
  node.setServed('people', 7)
  // A failover has lost a commit.
  node.setServed('people', 6)
  node.setState({ load: 0.1, mood: 'good' })
  node.setState({ load: 0.5 })
  await eventually(async () => {
    expect(await liveNodes(database)).toEqual([
      {
        id: node.id,
        slot: 1,
        name: 'node',
        version: '1.0.0',
        address: 'http://last',
        leaseLeft: expect.any(Number),
        served: { catalog: 20, people: 6 },
        newest: FIRST,
        leads: [],
        state: { load: 0.5, mood: 'good' },
        started: expect.any(Date),
      },
    ])
  })
})

test('a revision is told to those who listen', async () => {
  const database = await open()
  const node = await join(database, 'node')
  const listening = await database.connect()
  const heard: (string | undefined)[] = []
  listening.on('notification', ({ payload }) => heard.push(payload))
  await listening.query('LISTEN tidegate')
  node.setServed('catalog', 3)
  await eventually(() => expect(heard).toEqual(['served']))
  await listening.end()
})
