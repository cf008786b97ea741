import { expect, test } from 'vitest'
import { DAY } from '../support/builders/time.ts'
import { eventually } from '../support/eventually.ts'
import { type Received, startReceiver } from '../support/servers/receiver.ts'
import { electFirst, leadersOf, leadsAll } from './support/leaders.ts'
import { type Node, type NodeSet, startNodes } from './support/nodes.ts'
import { publishAt } from './support/releases.ts'

const STEPS = [
  { rolloutPct: 10, soakHours: 1 },
  { rolloutPct: 50, soakHours: 1 },
  { rolloutPct: 100, soakHours: 720 },
]

/** Two nodes, the first of which leads, with a webhook, and a plan whose first step was applied. */
async function startLed() {
  const receiver = await startReceiver()
  const set = await startNodes(2, '--webhook-private-host', receiver.host)
  const [leader, other] = await electFirst(set)
  await set.command('webhook', 'create', 'Chat', receiver.url, '--app', 'editor')
  await publishAt(other, set.key, '2.0.0', { plan: { steps: STEPS } })
  await eventually(async () => expect(await stepsOf(set)).toEqual([1]))
  await allDelivered(set)
  return { set, leader, other, receiver }
}

/** The steps of the plan that were applied, in their order. */
async function stepsOf({ database }: NodeSet): Promise<number[]> {
  const rows = await database.rows<{ step: number }>(
    `SELECT (after ->> 'step')::integer AS step FROM audit
     WHERE action = 'release.plan_step_applied' ORDER BY id`,
  )
  return rows.map(({ step }) => step)
}

/** Ends the time for which the last step of the plan is watched. */
async function endSoak({ database }: NodeSet): Promise<void> {
  const since = new Date(Date.now() - DAY).toISOString()
  expect(await database.run('UPDATE plans SET soak_since = $1', [since])).toBe(1)
}

/** Waits until every event was sent. */
async function allDelivered({ database }: NodeSet): Promise<void> {
  await eventually(async () => {
    const row = await database.row(
      `SELECT audit_cursor = (SELECT max(id) FROM audit) AS collected,
        (SELECT count(*) FROM deliveries WHERE state <> 'delivered') AS waiting FROM outbox_state`,
    )
    expect(row).toEqual({ collected: true, waiting: 0 })
  })
}

/** The last day that check-ins can be stored for. */
async function lastPartition({ database }: NodeSet): Promise<string> {
  const row = await database.row<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent = 'check_ins'::regclass ORDER BY 1 DESC LIMIT 1`,
  )
  return row?.name ?? ''
}

const idOf = ({ headers }: Received) => String(headers['webhook-id'])

/** Compares what was sent with what is in the log of deliveries. `twice`: the delivery that was broken off. */
async function expectSent({ database }: NodeSet, received: readonly Received[], twice: string) {
  const rows = await database.rows<{ id: string; payload: string; attempts: string }>(
    'SELECT id, payload::text, attempts::text FROM deliveries',
  )
  const events = rows.map(({ payload }) => {
    const { type, data } = JSON.parse(payload)
    return `${type} ${data.version} ${JSON.stringify(data.after)}`
  })
  expect(new Set(events).size).toBe(events.length)
  const sent = new Map<string, number>()
  for (const each of received) sent.set(idOf(each), (sent.get(idOf(each)) ?? 0) + 1)
  expect(sent).toEqual(new Map(rows.map(({ id }) => [id, id === twice ? 2 : 1])))
  for (const { attempts } of rows) {
    expect(JSON.parse(attempts)).toMatchObject([{ status: 204, failure: null }])
  }
}

/** Stops the leader in the middle of everything: an event is on its way, a step is due, and a partition is missing. */
async function freeze(
  { set, leader, other, receiver }: Awaited<ReturnType<typeof startLed>>,
  version: string,
): Promise<{ broken: string; partition: string }> {
  receiver.answer(undefined)
  const before = receiver.received.length
  await publishAt(other, set.key, version)
  const requests = await receiver.until(before + 1)
  leader.signal('SIGSTOP')
  receiver.answer({ status: 204 })
  await endSoak(set)
  const partition = await lastPartition(set)
  await set.database.run(`DROP TABLE ${partition}`)
  const [broken] = requests.slice(before).map(idOf)
  return { broken: broken ?? '', partition }
}

/** Waits until the other node has done what the leader left. */
async function takenOver(set: NodeSet, node: Node, partition: string): Promise<void> {
  await leadsAll(set, node)
  await eventually(async () => expect(await stepsOf(set)).toEqual([1, 2]))
  await eventually(async () => expect(await lastPartition(set)).toBe(partition))
  await allDelivered(set)
}

test('when the leader is killed, another node goes on: each step once, and each event under one ID', async () => {
  const led = await startLed()
  const { set, leader, other, receiver } = led
  const { broken, partition } = await freeze(led, '2.1.0')
  await leader.kill()
  await takenOver(set, other, partition)
  await publishAt(other, set.key, '2.2.0')
  await leader.start()
  await leader.healthy()
  await publishAt(leader, set.key, '2.3.0')
  await allDelivered(set)
  expect(await stepsOf(set)).toEqual([1, 2])
  await expectSent(set, receiver.received, broken)
})

test('a leader that stood still for longer than its lease does not go on with what another leads', async () => {
  const led = await startLed()
  const { set, leader, other, receiver } = led
  const { broken, partition } = await freeze(led, '2.1.0')
  await takenOver(set, other, partition)
  const terms = await leadersOf(set)
  // The answer to what it sent is there when it goes on.
  receiver.answerLate({ status: 200 })
  await endSoak(set)
  leader.signal('SIGCONT')
  await leader.healthy()
  await publishAt(leader, set.key, '2.2.0')
  await allDelivered(set)
  expect(await leadersOf(set)).toEqual(terms)
  await expectSent(set, receiver.received, broken)
  // It leads again once the other one has stopped.
  expect(await other.stop()).toBe(0)
  await leadsAll(set, leader)
  for (const [name, { term }] of await leadersOf(set)) {
    expect(term, name).toBe((terms.get(name)?.term ?? 0) + 1)
  }
  await eventually(async () => expect(await stepsOf(set)).toEqual([1, 2, 3]))
  await publishAt(leader, set.key, '2.3.0')
  await allDelivered(set)
  await expectSent(set, receiver.received, broken)
})
