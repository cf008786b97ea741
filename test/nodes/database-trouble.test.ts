import { expect, onTestFinished, test } from 'vitest'
import { PostgresDatabase } from '../../src/server/storage/postgres/connection/database.ts'
import type { Queries } from '../../src/server/storage/postgres/connection/queries.ts'
import { item } from '../support/builders/devices.ts'
import { canMount, NO_SMALL_DISK } from '../support/builders/small-disk.ts'
import { eventually } from '../support/eventually.ts'
import { killCluster, removeCluster } from '../support/postgres/cluster.ts'
import { expectExact } from '../support/postgres/recount.ts'
import { Load } from './support/load.ts'
import { type Node, type NodeSet, startNodes } from './support/nodes.ts'
import { publishAt, serveAt } from './support/releases.ts'
import {
  fullDisk,
  lockDrafts,
  locked,
  promote,
  readOnly,
  standby,
  startSynchronousStandby,
  type Trouble,
  usedUp,
} from './support/troubles.ts'

const CHECK = '/u/editor/stable/darwin/aarch64/1.0.0'

/** Two nodes under load, which offer 2.0.0. */
async function startLoaded() {
  const set = await startNodes(2)
  const [node, other] = set.nodes
  if (!node || !other) throw new Error('two nodes')
  const load = new Load(set, { writers: 4 })
  await publishAt(node, set.key, '2.0.0')
  await load.more(20)
  await eventually(() => expect(load.wasOffered('2.0.0')).toBe(true))
  return { set, node, other, load }
}

/** Waits until a node takes reports again, ends the load, and compares what is stored with what was acknowledged. */
async function expectRecovered(
  set: NodeSet,
  load: Load,
  database: Queries = set.database,
): Promise<void> {
  await Promise.all(set.nodes.map((node) => node.healthy()))
  await load.more(20)
  await load.stop()
  await Promise.all(set.nodes.map((node) => node.settled()))
  for (const node of set.nodes) expect((await node.health()).body.telemetry.lost).toBe(0)
  expect(await Promise.all(set.nodes.map((node) => node.stop()))).toEqual(set.nodes.map(() => 0))
  await load.expectStored(database)
  await expectExact(database)
}

function report(node: Node, key: string) {
  return node.call('POST', '/api/v1/fleet/report', {
    key,
    body: { app: 'editor', devices: [item('refused', { version: '1.0.0' })] },
  })
}

test.each<[string, Trouble]>([
  ['read-only', readOnly],
  ['a standby that is promoted later', standby],
  ['without a connection that is free', usedUp],
])('a database that cannot be written: %s', async (_, trouble) => {
  const { set, node, load } = await startLoaded()
  const at = performance.now()
  const end = await trouble(set)
  await Promise.all(
    set.nodes.map((each) =>
      eventually(async () => {
        const { status, body } = await each.health()
        expect([status, body.database.state, body.node.lease]).toEqual([
          ...[503, 'out_of_contact', 'ended'],
        ])
      }),
    ),
  )
  expect(await node.call('GET', CHECK)).toMatchObject({ status: 204, text: '' })
  expect(await report(node, set.key)).toMatchObject({ status: 503 })
  expect(await node.call('GET', '/api/v1/releases?app=editor', set)).toMatchObject({ status: 503 })
  await end()
  await Promise.all(set.nodes.map((each) => each.healthy()))
  for (const { address } of set.nodes) {
    const answers = load.checksOf(address, at)
    // From memory, as long as the lease lasted, and without an update after it.
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 204]))
  }
  await eventually(async () =>
    expect(await node.call('GET', CHECK)).toMatchObject({ body: { version: '2.0.0' } }),
  )
  await expectRecovered(set, load)
})

test.for<[string, Trouble]>([
  ['the disk is full', fullDisk],
  ['somebody has locked the devices', locked],
])(
  'check-ins that cannot be stored wait, and checks are answered: %s',
  async ([, trouble], { skip }) => {
    skip(trouble === fullDisk && !canMount, NO_SMALL_DISK)
    const { set, load } = await startLoaded()
    const end = await trouble(set)
    const at = performance.now()
    await eventually(async () => {
      for (const each of set.nodes) {
        const { body } = await each.health()
        expect(body.telemetry).toMatchObject({ state: 'failing' })
        expect(body.telemetry.queued).toBeGreaterThan(0)
      }
    })
    await eventually(() => expect(load.statuses.has('POST 503')).toBe(true))
    const statuses = set.nodes.flatMap(({ address }) =>
      load.checksOf(address, at).map(({ status }) => status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    await end()
    await expectRecovered(set, load)
  },
)

test('a standby that takes over has all that was acknowledged', async () => {
  const { set, node, load } = await startLoaded()
  const standby = await startSynchronousStandby(set)
  const after = new PostgresDatabase(standby.url('tidegate'), 2)
  onTestFinished(async () => {
    await after.close()
    await removeCluster(standby.folder)
  })
  await load.more(20)
  await killCluster(set.cluster.folder)
  await Promise.all(
    set.nodes.map((each) =>
      eventually(async () => expect((await each.health()).body.node.lease).toBe('ended')),
    ),
  )
  expect(await node.call('GET', CHECK)).toMatchObject({ status: 204, text: '' })
  await promote(standby)
  for (const { network } of set.nodes) network.redirect(standby.url('tidegate'))
  await Promise.all(set.nodes.map((each) => each.healthy()))
  await eventually(async () =>
    expect(await node.call('GET', CHECK)).toMatchObject({ body: { version: '2.0.0' } }),
  )
  await expectRecovered(set, load, after)
})

test('a node whose connections are all in use does not hold up what others roll back', async () => {
  const { set, node, other, load } = await startLoaded()
  const key = set.key

  const end = await lockDrafts(set.cluster.url('tidegate'))
  let isEnded = false
  // More than the node has connections for, so that what else it asks gets none in time.
  const callers = Array.from({ length: 60 }, async () => {
    while (!isEnded) await node.call('GET', '/api/v1/drafts?app=editor', { key })
  })
  await eventually(async () => {
    const row = await set.database.row<{ count: number }>(
      "SELECT count(*) AS count FROM pg_locks WHERE relation = 'drafts'::regclass AND NOT granted",
    )
    expect(row?.count).toBe(8)
  })
  const at = await eventually(() => serveAt(other, key, '2.0.0', 'rolled_back'))
  expect(await node.call('GET', CHECK)).toMatchObject({ status: 204 })
  await end()
  isEnded = true
  await Promise.all(callers)
  await node.healthy()
  load.expectNotOffered('2.0.0', at)
  await expectRecovered(set, load)
})
