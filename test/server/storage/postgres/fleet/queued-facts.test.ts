// @module-tag postgresql

import { expect, test } from 'vitest'
import { NotStored } from '../../../../../src/server/fleet/ingest/not-stored.ts'
import {
  MAX_LABELLED,
  MAX_WAITING,
  numberOf,
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
  queue.takeBatch()
  queue.add({ kind: 'check_in', checkIn, labels })
  expect([queue.waiting, queue.lost]).toEqual([1, 1])
})

test('check-ins beyond the bound are counted as lost, and calls are refused as a whole', () => {
  const queue = new QueuedFacts()
  const checkIn = checkInOf({
    ...{ device: 1, channelKey: 1, version: '1.0.0', minutes: 1 },
    ...{ answer: 'up_to_date', release: 0, node: 0 },
  })
  for (let count = 0; count < MAX_WAITING - 1; count++) {
    queue.add({ kind: 'check_in', checkIn, labels: undefined })
  }
  const call = { checkIns: [checkIn, checkIn], reports: [], labelDeltas: [] }
  expect(() => queue.addAll(call)).toThrow(NotStored)
  expect([queue.waiting, queue.lost]).toEqual([MAX_WAITING - 1, 0])
  for (let count = 0; count < 3; count++) {
    queue.add({ kind: 'check_in', checkIn, labels: undefined })
  }
  expect([queue.waiting, queue.lost]).toEqual([MAX_WAITING, 2])
  const { slices } = queue.takeBatch()
  expect(slices.flatMap(({ facts }) => facts)).toHaveLength(MAX_WAITING)
  // Every fact has a number of its own, above those of the slices before.
  const numbers = slices.flatMap((slice) => [numberOf(slice, 0), slice.number])
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  for (const slice of slices) {
    expect(numberOf(slice, slice.facts.length - 1)).toBeLessThan(slice.number)
  }
})
