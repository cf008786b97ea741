import { expect, test } from 'vitest'
import { DEVICE_ROW_WIDTH } from '../../../../../src/server/storage/shared/batch.ts'
import { emptyBatch } from './memory-store.ts'

/** A pending batch with check-ins, and with that many device rows. */
function setUp(rows: number) {
  const { memory, pending } = emptyBatch()
  for (let device = 1; device <= rows; device++) memory.table.set(device, 1, 1_000)
  let number = 0
  /** Takes a batch and reports it committed. Returns how many device rows it had. */
  const commit = (rowsTime: number | undefined) => {
    number++
    const batch = pending.takeBatch(number)
    const rows = batch.deviceRows.length / DEVICE_ROW_WIDTH
    pending.committed(batch, rowsTime)
    return rows
  }
  return { memory, commit }
}

test('the next batch has as many device rows as the time of those before allows', () => {
  const { commit } = setUp(10_000)
  const rows = [1, 1, 50, 50, undefined, 1].map(commit)
  expect(rows).toEqual([500, 1_000, 2_000, 1_000, 500, 500])
})

test('a batch without device rows does not change their time', () => {
  const { memory, commit } = setUp(0)
  for (let batch = 0; batch < 5; batch++) expect(commit(1)).toBe(0)
  for (let device = 1; device <= 2_000; device++) memory.table.set(device, 1, 1_000)
  expect(commit(1)).toBe(500)
})
