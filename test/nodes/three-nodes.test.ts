import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { expectExact } from '../support/postgres/recount.ts'
import { Load } from './support/load.ts'
import { type NodeSet, startNodes } from './support/nodes.ts'
import { publishAt, serveAt } from './support/releases.ts'

/** Fails unless the counters are those of the rows, in one moment. */
function expectCountersExact({ database }: NodeSet): Promise<void> {
  return database.transaction((snapshot) => expectExact(snapshot), { snapshot: true })
}

/** Ends the load, stops all nodes, and compares what is stored with what was acknowledged. */
async function expectNothingLost(load: Load, set: NodeSet): Promise<void> {
  await Promise.all(set.nodes.map((node) => node.healthy()))
  // The nodes take reports again, and not only one of them.
  await load.more(20)
  await load.stop()
  await Promise.all(set.nodes.map((node) => node.settled()))
  expect(await Promise.all(set.nodes.map((node) => node.stop()))).toEqual(set.nodes.map(() => 0))
  await load.expectStored(set.database)
  await expectCountersExact(set)
  expect(load.acknowledged).toBeGreaterThanOrEqual(20)
}

test('nodes that are killed lose nothing that was acknowledged', async () => {
  const set = await startNodes(3)
  const [first, second, third] = set.nodes
  if (!first || !second || !third) throw new Error('three nodes')
  const { key } = set
  const load = new Load(set, { writers: 4 })
  for (const [round, node] of [first, second, third].entries()) {
    await load.more(20)
    const others = set.nodes.filter((each) => each !== node)
    const version = `2.${round}.0`
    await publishAt(node, key, version)
    await eventually(() => expect(load.wasOffered(version)).toBe(true))
    await node.kill()
    const at = await serveAt(others[0] ?? node, key, version, 'rolled_back')
    await load.more(20)
    await node.start()
    await node.healthy()
    await load.more(20)
    load.expectNotOffered(version, at)
    await expectCountersExact(set)
  }
  await expectNothingLost(load, set)
})

test('PostgreSQL that is killed loses nothing that was acknowledged', async () => {
  const set = await startNodes(3)
  const load = new Load(set, { writers: 4 })
  for (let round = 0; round < 3; round++) {
    await load.more(30)
    await set.restartPostgres()
    await Promise.all(set.nodes.map((node) => node.healthy()))
    await load.more(20)
    await expectCountersExact(set)
  }
  await expectNothingLost(load, set)
})

test('connections that break in the middle of a batch lose nothing and repeat nothing', async () => {
  const set = await startNodes(3)
  const load = new Load(set, { writers: 4 })
  const breaks = ['COMMIT', 'write_telemetry_3', 'UPDATE nodes SET batch', 'meet_devices_3']
  for (const text of breaks) {
    for (const when of ['after', 'before'] as const) {
      await Promise.all(
        set.nodes.map(async (node) => {
          await node.network.cutAt(text, when)
          await node.writing()
        }),
      )
    }
    await expectCountersExact(set)
  }
  for (let cut = 0; cut < 9; cut++) {
    const network = set.nodes[cut % 3]?.network
    network?.cut()
    await delay(50)
    network?.restore()
    await delay(100)
  }
  await expectNothingLost(load, set)
})

test.each(['cut', 'hang', 'stop'] as const)(
  'a node out of contact (%s) offers nothing that others rolled back, and returns by itself',
  async (how) => {
    const set = await startNodes(3)
    const [lost, other, third] = set.nodes
    if (!lost || !other || !third) throw new Error('three nodes')
    const { key } = set
    const load = new Load(set, { writers: 4 })
    await publishAt(other, key, '2.0.0')
    await publishAt(other, key, '2.1.0')
    await eventually(() => expect(load.wasOffered('2.1.0')).toBe(true))
    if (how === 'stop') lost.signal('SIGSTOP')
    else lost.network[how]()
    const at = await serveAt(other, key, '2.1.0', 'rolled_back')
    const again = await serveAt(third, key, '2.0.0', 'rolled_back')
    if (how !== 'stop') {
      const path = '/u/editor/stable/darwin/aarch64/1.0.0'
      expect(await lost.call('GET', path)).toMatchObject({ status: 204, text: '' })
      expect(await lost.call('GET', '/api/v1/releases?app=editor', { key })).toMatchObject({
        status: 503,
      })
      expect(await lost.health()).toMatchObject({ status: 503 })
    }
    await load.more(20)
    if (how === 'stop') lost.signal('SIGCONT')
    else lost.network.restore()
    await lost.healthy()
    await load.more(20)
    load.expectNotOffered('2.1.0', at)
    load.expectNotOffered('2.0.0', again)
    await expectNothingLost(load, set)
  },
)

test('a slow network only delays', async () => {
  const set = await startNodes(3)
  const [slow, other] = set.nodes
  if (!slow || !other) throw new Error('three nodes')
  const { key } = set
  const load = new Load(set, { writers: 4 })
  await load.more(10)
  slow.network.slow(150)
  await publishAt(slow, key, '2.0.0')
  await publishAt(other, key, '2.1.0')
  await eventually(() => expect(load.wasOffered('2.1.0')).toBe(true))
  const at = await serveAt(slow, key, '2.1.0', 'rolled_back')
  await load.more(30)
  slow.network.restore()
  await load.more(20)
  load.expectNotOffered('2.1.0', at)
  await expectNothingLost(load, set)
})
