import { expect } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import type { Node, NodeSet } from './nodes.ts'

/** What every node without files of releases does for the fleet while it leads. */
const TASKS = ['change_requests', 'fleet_jobs', 'outbox', 'plans', 'proving']

/** Of every task, the address of the node that began to lead it last, and its term. */
export async function leadersOf({
  database,
}: NodeSet): Promise<Map<string, { address: string; term: number }>> {
  const rows = await database.rows<{ name: string; address: string; term: number }>(
    'SELECT leaders.name, address, term FROM leaders JOIN nodes ON id = node',
  )
  return new Map(rows.map(({ name, ...leader }) => [name, leader]))
}

/** Waits until a node leads every task. */
export async function leadsAll(set: NodeSet, { address }: Node): Promise<void> {
  await eventually(async () => {
    const leaders = await leadersOf(set)
    expect(TASKS.map((name) => [name, leaders.get(name)?.address])).toEqual(
      TASKS.map((name) => [name, address]),
    )
  })
}

/** Makes the first of two nodes the one that leads everything. */
export async function electFirst(set: NodeSet): Promise<[leader: Node, other: Node]> {
  const [leader, other] = set.nodes
  if (!leader || !other) throw new Error('two nodes')
  await other.stop()
  await leadsAll(set, leader)
  await other.start()
  await other.healthy()
  return [leader, other]
}
