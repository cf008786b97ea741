// @module-tag postgresql

import { expect, onTestFinished, test, vi } from 'vitest'
import type { Queries } from '../../../../../src/server/storage/postgres/connection/queries.ts'
import {
  type FollowingNode,
  openPostgresNodes,
} from '../../../../../src/server/storage/postgres/nodes/nodes.ts'
import { unregister } from '../../../../../src/server/storage/postgres/nodes/registration.ts'
import { eventually } from '../../../../support/eventually.ts'
import { startTcpProxy } from '../../../../support/servers/tcp-proxy.ts'
import { change, join, lapsed, open, served } from './set-up.ts'

const NOTHING_TOLD = {
  ...{ checkInRate: null, queued: null, lost: null, memory: null, delay: null },
  ...{ files: null, watching: false, alarms: [], budgets: [] },
  ...{ bucketOutage: null, telemetryFailure: null },
}

async function follow(queries: Queries, node: FollowingNode, interval = 20) {
  const nodes = await openPostgresNodes(queries, node, { interval })
  onTestFinished(() => nodes.close())
  return nodes
}

test('every node knows all nodes, which one it is, and what they tell', async () => {
  const database = await open()
  const [one, two] = [
    await join(database, 'one'),
    await join(database, 'two', { version: '2.0.0' }),
  ]
  await Promise.all([served(one), served(two)])
  two.announce('https://two')
  const [ofOne, ofTwo] = [await follow(database, one), await follow(database, two)]
  ofTwo.report({ checkInRate: 12.5, queued: 3 })
  ofTwo.report({ queued: 4 })
  await eventually(() => {
    const { nodes } = ofOne.list()
    expect(nodes).toMatchObject([
      { id: one.id, name: 'one', version: '1.0.0', address: null, own: true, state: NOTHING_TOLD },
      {
        ...{ id: two.id, name: 'two', version: '2.0.0', address: 'https://two', own: false },
        ...{ behind: { catalog: 0, people: 0 }, leads: [] },
        state: { ...NOTHING_TOLD, checkInRate: 12.5, queued: 4 },
      },
    ])
    for (const { leaseLeft } of nodes) expect(leaseLeft).toBeGreaterThan(0)
  })
  expect(ofTwo.list().nodes.map(({ own }) => own)).toEqual([false, true])
  expect([ofOne.count, ofTwo.count]).toEqual([2, 2])
  expect([ofTwo.id, ofTwo.name]).toEqual([two.id, 'two'])
  expect(ofTwo.leaseLeft).toBeGreaterThan(0)
})

test('a node is behind by what it does not serve yet, and leads what it led last', async () => {
  const database = await open()
  const node = await join(database, 'node')
  const nodes = await follow(database, node)
  await change(database)
  const revision = await change(database)
  await database.run("INSERT INTO leaders VALUES ('plans', $1, 3), ('backups', $1, 1)", [node.id])
  await eventually(() => {
    expect(nodes.list().nodes).toMatchObject([
      { behind: { catalog: 2, people: 0 }, leads: ['backups', 'plans'] },
    ])
  })
  node.setServed('catalog', revision)
  await eventually(() => expect(nodes.list().nodes).toMatchObject([{ behind: { catalog: 0 } }]))
})

test('only nodes with a lease are counted, and this one', async () => {
  const database = await open()
  const node = await join(database, 'node', { served: { catalog: -1, people: -1 } })
  const proxy = await startTcpProxy(database.url)
  const other = await join(await open(proxy.url), 'other', { leaseTime: 1_000 })
  await served(other)
  const nodes = await follow(database, node)
  expect(nodes.count).toBe(2)
  proxy.cut()
  await lapsed(other)
  await eventually(() => expect(nodes.count).toBe(1))
  expect(nodes.list().nodes).toMatchObject([{ leaseLeft: 0 }, { name: 'other', leaseLeft: 0 }])
  await unregister(database, other.id)
  await eventually(() => expect(nodes.list().nodes).toMatchObject([{ name: 'node' }]))
})

test('while the database does not answer, the last list stays, with its age', async () => {
  const database = await open()
  const proxy = await startTcpProxy(database.url)
  const [node, other] = [await join(database, 'node'), await join(database, 'other')]
  await Promise.all([served(node), served(other)])
  const nodes = await follow(await open(proxy.url), node)
  const listed = vi.fn()
  nodes.onListed(listed)
  await eventually(() => expect(listed).toHaveBeenCalled())
  proxy.cut()
  await eventually(() => expect(nodes.list()).toMatchObject({ failing: true }))
  await other.leave()
  const { age } = nodes.list()
  await eventually(() => expect(nodes.list().age).toBeGreaterThan(age))
  expect(nodes.list().nodes.map(({ name }) => name)).toEqual(['node', 'other'])
  expect(nodes.count).toBe(2)
  proxy.restore()
  await eventually(() => expect(nodes.list()).toMatchObject({ failing: false }))
  await eventually(() => expect(nodes.count).toBe(1))
})

test('what a node of another version tells is read as far as it is known', async () => {
  const database = await open()
  const node = await join(database, 'node')
  node.setState({ checkInRate: 'fast', queued: 7, mood: 'good', files: 'tape' })
  const nodes = await follow(database, node)
  await eventually(() => {
    expect(nodes.list().nodes.map(({ state }) => state)).toEqual([{ ...NOTHING_TOLD, queued: 7 }])
  })
})
