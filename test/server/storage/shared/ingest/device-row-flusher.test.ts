import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DEVICE_ROW_WIDTH } from '../../../../../src/server/storage/shared/batch.ts'
import { DeviceRowFlusher } from '../../../../../src/server/storage/shared/ingest/device-row-flusher.ts'
import { DeviceTable } from '../../../../../src/server/storage/shared/memory/device-table.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  // A round may begin at once, whenever the process began.
  vi.advanceTimersByTime(60_000)
})
afterEach(() => {
  vi.useRealTimers()
})

/** A table of which the rows of that many devices are behind. */
function setUp(behind: number) {
  const table = new DeviceTable()
  for (let device = 1; device <= behind; device++) table.set(device, 1, 1_000)
  const rows = new DeviceRowFlusher(table, 0)
  /** Takes a batch, and returns how many rows it has. */
  const take = (lastCheckIn = behind) => rows.take(lastCheckIn).deviceRows.length / DEVICE_ROW_WIDTH
  return { table, rows, take }
}

describe('the size of a batch of device rows', () => {
  test('doubles while rows are written fast, up to 16,000', () => {
    const { rows, take } = setUp(100_000)
    const sizes: number[] = []
    for (let batch = 0; batch < 7; batch++) {
      sizes.push(take())
      rows.pace(6)
    }
    expect(sizes).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000])
  })

  test('halves while they are written slowly, down to 500', () => {
    const { rows, take } = setUp(100_000)
    for (let batch = 0; batch < 3; batch++) rows.pace(1)
    const sizes: number[] = []
    for (let batch = 0; batch < 5; batch++) {
      sizes.push(take())
      rows.pace(6.1)
    }
    expect(sizes).toEqual([4_000, 2_000, 1_000, 500, 500])
  })
})

describe('a round through the device rows', () => {
  test('is written without a pause, and covers earlier check-ins', () => {
    const { rows, take } = setUp(1_200)
    expect(rows.dueIn).toBe(0)
    expect([take(7), rows.rowsThrough, rows.dueIn]).toEqual([500, 0, 0])
    expect([take(8), rows.rowsThrough, rows.dueIn]).toEqual([500, 0, 0])
    expect([take(9), rows.rowsThrough, rows.dueIn]).toEqual([200, 7, undefined])
  })

  test('begins five seconds after the one before', () => {
    const { table, rows, take } = setUp(1)
    take(1)
    table.set(1, 1, 2_000)
    expect([rows.dueIn, take(2), rows.rowsThrough]).toEqual([5_000, 0, 1])
    vi.advanceTimersByTime(4_999)
    expect([rows.dueIn, take(2), rows.rowsThrough]).toEqual([1, 0, 1])
    vi.advanceTimersByTime(1)
    expect([rows.dueIn, take(2), rows.rowsThrough]).toEqual([0, 1, 2])
  })

  test('begins immediately before a shutdown', () => {
    const { table, rows, take } = setUp(1)
    take(1)
    table.set(1, 1, 2_000)
    rows.hurry()
    expect([rows.dueIn, take(2), rows.rowsThrough]).toEqual([0, 1, 2])
  })

  test('is not needed if no row is behind', () => {
    const { rows, take } = setUp(0)
    expect([rows.dueIn, take(5), rows.rowsThrough]).toEqual([undefined, 0, 5])
  })
})
