import { expect, test } from 'vitest'
import { nodeWarnings } from '../../../../src/renderer/settings/nodes/warnings.ts'
import type { ConsoleNode } from '../../../../src/shared/console/settings/status.ts'

const NOW = Date.parse('2026-05-04T12:00:00.000Z')

function node(name: string, changed: Partial<ConsoleNode> = {}): ConsoleNode {
  return {
    ...{ id: 1, name, version: '1.0.0', address: null, startedAt: '2026-05-04T11:00:00.000Z' },
    ...{ own: false, leaseLeft: 4_000, behind: 0, leads: [], checkInRate: 1, queued: 0, lost: 0 },
    ...{ memory: 1, delay: 1, files: null },
    ...changed,
  }
}

const wordsOf = (nodes: readonly ConsoleNode[], failing = false) =>
  nodeWarnings({ nodes: [...nodes], age: 12_000, failing }, NOW).map(({ words }) => words)

test('nodes that serve the same need no attention', () => {
  expect(wordsOf([node('a', { files: 'bucket' }), node('b', { files: 'bucket' })])).toEqual([])
  expect(wordsOf([node('a', { files: 'folder' }), node('b', { files: 'folder' })])).toEqual([])
  expect(wordsOf([node('alone', { files: 'folder' })])).toEqual([])
})

test('a node that just started may be without a lease', () => {
  const startedAt = '2026-05-04T11:59:50.000Z'
  expect(wordsOf([node('a', { leaseLeft: 0, startedAt })])).toEqual([])
})

test('everything that somebody should look at is said, different versions last', () => {
  const nodes = [
    node('a', { leaseLeft: 0 }),
    node('b', { lost: 3, files: 'folder' }),
    node('c', { leaseLeft: 0, version: '1.1.0' }),
  ]
  expect(wordsOf(nodes, true)).toEqual([
    'The database does not respond. This list is from 12 seconds ago.',
    'a and c have no lease: update checks there get no update. Check the connection to the database.',
    'Check-ins were lost on b. The log there has the reason.',
    'Nodes have different settings for stored files. Start all of them with the same folder or bucket.',
    'Nodes run different versions: 1.0.0 and 1.1.0. Finish the upgrade on all nodes.',
  ])
})
