import { expect, test } from 'vitest'
import { AllNodes, type NodeTrouble } from '../../../../src/server/runtime/cluster/all-nodes.ts'
import { type NodeInfo, NodeState } from '../../../../src/server/runtime/cluster/nodes.ts'
import type { UsedBudget } from '../../../../src/shared/operation/budgets.ts'

const FINE: NodeTrouble = {
  ...{ alarms: [], telemetryFailure: null, bucketOutage: null, budgets: [], lost: 0 },
}
const FACTS = {
  code: 'bucket_unavailable',
  bucket: 'b',
  trouble: 'unreachable',
  detail: '',
} as const

function node(id: number, state: unknown, members: Partial<NodeInfo> = {}): NodeInfo {
  return {
    ...{ id, name: `n${id}`, version: '1.0.0', address: null, startedAt: new Date(0), own: false },
    ...{ leaseLeft: 1_000, behind: { catalog: 0, people: 0 }, leads: [] },
    state: NodeState.parse(state),
    ...members,
  }
}

function all(own: Partial<NodeTrouble>, ...nodes: readonly NodeInfo[]): AllNodes {
  return new AllNodes(() => ({ ...FINE, ...own }), {
    list: () => ({ nodes, age: 0, failing: false }),
  })
}

test('what is wrong on any node is shown once, and what a node without a lease told is not', () => {
  const shown = all(
    { alarms: ['disk_low'] },
    // What it told of itself is older than what it knows.
    node(1, { alarms: ['backup_failed'] }, { own: true }),
    node(2, { alarms: ['plans_failed', 'disk_low', 'of_a_newer_version'] }),
    node(3, { alarms: ['proving_failed'] }, { leaseLeft: 0 }),
  )
  expect(shown.alarms).toEqual(['disk_low', 'plans_failed'])
  expect(new AllNodes(() => FINE, undefined).alarms).toEqual([])
})

test('lost check-ins are added up, limits are joined, and the longest outage of the bucket is shown', () => {
  const budget = (since: string, last: string, count: number): UsedBudget => ({
    ...{ name: 'labels', since: `2026-01-01T${since}Z`, last: `2026-01-01T${last}Z`, count },
  })
  const shown = all(
    {
      lost: 2,
      bucketOutage: { facts: FACTS, since: 20 },
      budgets: [budget('10:00:00', '11:00:00', 3)],
    },
    node(2, { lost: 5, bucketOutage: { facts: FACTS, since: 10 } }),
    node(3, { lost: null, budgets: [budget('10:30:00', '11:30:00', 4)] }),
  )
  expect(shown.bucketOutage?.since).toBe(10)
  expect(shown.telemetry.lost).toBe(7)
  expect(shown.telemetry.budgets).toEqual([budget('10:00:00', '11:30:00', 7)])
})
