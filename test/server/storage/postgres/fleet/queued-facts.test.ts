import { expect, test } from 'vitest'
import {
  MAX_LABELLED,
  QueuedFacts,
} from '../../../../../src/server/storage/postgres/fleet/ingest/queued-facts.ts'
import { checkInOf } from './telemetry-node.ts'

test('check-ins that change labels fill a part of the queue only, and the others still fit', () => {
  const queue = new QueuedFacts()
  const checkIn = checkInOf({
    ...{ device: 1, channelKey: 1, version: '1.0.0', minutes: 1 },
    ...{ answer: 'up_to_date', release: 0, node: 0 },
  })
  const labels = { set: { ring: 'beta' }, remove: [] }
  for (let count = 0; count <= MAX_LABELLED; count++) {
    queue.add({ kind: 'check_in', checkIn, labels })
  }
  expect([queue.waiting, queue.lost]).toEqual([MAX_LABELLED, 1])
  queue.add({ kind: 'check_in', checkIn, labels: undefined })
  expect([queue.waiting, queue.lost]).toEqual([MAX_LABELLED + 1, 1])
  queue.takeBatch(1)
  queue.add({ kind: 'check_in', checkIn, labels })
  expect([queue.waiting, queue.lost]).toEqual([1, 1])
})
