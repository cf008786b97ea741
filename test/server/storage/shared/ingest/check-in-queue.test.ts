import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHECK_IN_WIDTH } from '../../../../../src/server/storage/shared/batch.ts'
import {
  CheckInQueue,
  MAX_QUEUED,
} from '../../../../../src/server/storage/shared/ingest/check-in-queue.ts'

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
