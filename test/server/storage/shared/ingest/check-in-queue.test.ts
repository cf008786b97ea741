import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOffer } from '../../../../../src/server/fleet/check-in.ts'
import { SOURCES } from '../../../../../src/server/fleet/facts.ts'
import { CHECK_IN_WIDTH } from '../../../../../src/server/storage/shared/batch.ts'
import { kindOf, readKind } from '../../../../../src/server/storage/shared/ingest/check-in-kind.ts'
import {
  CheckInQueue,
  MAX_QUEUED,
} from '../../../../../src/server/storage/shared/ingest/check-in-queue.ts'
import { Outcome } from '../../../../../src/shared/health/health.ts'
import { DecisionReason } from '../../../../../src/shared/releases/manifest.ts'

function rowsOf(packed: Float64Array): number[][] {
  return Array.from({ length: packed.length / CHECK_IN_WIDTH }, (_, row) =>
    Array.from(packed.subarray(row * CHECK_IN_WIDTH, (row + 1) * CHECK_IN_WIDTH)),
  )
}

describe('the queue of check-ins', () => {
  test('numbers go on from the last one stored', () => {
    const queue = new CheckInQueue(41, 3)
    queue.push(queue.assignId(), 7, 1_774_000_000_001, 2, 33, 40)
    queue.push(queue.assignId(), 0, 1_774_000_000_002, 2, 1, 0)
    expect([queue.length, queue.lastId, queue.lost]).toEqual([2, 43, 3])
    expect(rowsOf(queue.take())).toEqual([
      [42, 7, 1_774_000_000_001, 2, 33, 40],
      [43, 0, 1_774_000_000_002, 2, 1, 0],
    ])
    expect([queue.length, queue.lastId, rowsOf(queue.take())]).toEqual([0, 43, []])
  })

  test('hands over everything in order, however often it is emptied and grows', () => {
    const bursts = fc.array(fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 5_000 })), { maxLength: 8 })
    fc.assert(
      fc.property(bursts, (sizes) => {
        const queue = new CheckInQueue(0, 0)
        let id = 0
        for (const size of sizes) {
          const expected: number[][] = []
          for (let left = size; left > 0; left--) {
            id++
            queue.push(queue.assignId(), id % 97, id * 10, id % 5, id % 40, id - 3)
            expected.push([id, id % 97, id * 10, id % 5, id % 40, id - 3])
          }
          expect(rowsOf(queue.take())).toEqual(expected)
        }
        expect(queue.lost).toBe(0)
      }),
      { numRuns: 25 },
    )
  })

  test('when it is full the oldest make room, and are counted', () => {
    const queue = new CheckInQueue(0, 5)
    const excess = 1_500
    for (let device = 1; device <= MAX_QUEUED + excess; device++)
      queue.push(queue.assignId(), device, device, 1, 1, 0)
    expect([queue.length, queue.lost]).toEqual([MAX_QUEUED, 5 + excess])
    const packed = queue.take()
    expect(packed.length).toBe(MAX_QUEUED * CHECK_IN_WIDTH)
    for (let row = 0; row < MAX_QUEUED; row++) {
      if (packed[row * CHECK_IN_WIDTH] !== excess + row + 1) throw new Error(`row ${row} is wrong`)
      if (packed[row * CHECK_IN_WIDTH + 1] !== excess + row + 1) throw new Error(`device at ${row}`)
    }
    queue.push(queue.assignId(), 1, 2, 3, 4, 5)
    expect(rowsOf(queue.take())).toEqual([[MAX_QUEUED + excess + 1, 1, 2, 3, 4, 5]])
    queue.lose()
    expect(queue.lost).toBe(6 + excess)
  })
})

const REASONS = [null, ...DecisionReason.options]
const ANSWERED = SOURCES.filter((source) => source !== 'outcome').flatMap((source) =>
  REASONS.map((reason) => ({ source, reason, outcome: null })),
)
const REPORTED = Outcome.options.map((outcome) => {
  return { source: 'outcome', reason: null, outcome } as const
})
const ALL = [...ANSWERED, ...REPORTED]

test('source and outcome read back from the stored number', () => {
  const kinds = ALL.map(({ source, reason, outcome }) =>
    kindOf(source, reason, outcome ?? undefined),
  )
  expect(new Set(kinds).size).toBe(ALL.length)
  expect(kinds.map(readKind)).toEqual(ALL)
})

test('numbers that are stored already keep their meaning', () => {
  expect(kindOf('check', 'update')).toBe(1)
  expect(kindOf('check', 'up_to_date')).toBe(3)
  expect(kindOf('decision', 'rollback')).toBe(18)
  expect(kindOf('report', null)).toBe(32)
  expect(kindOf('outcome', null, 'failed')).toBe(50)
})

test('updates and rollbacks are offers, nothing else is', () => {
  expect(REASONS.filter(isOffer)).toEqual(['update', 'rollback'])
})
