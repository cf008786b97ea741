import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BackOff } from '../../src/main/back-off.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function delays(backOff: BackOff, failures: number): number[] {
  return Array.from({ length: failures }, () => {
    backOff.failed()
    return backOff.delay
  })
}

it('waits twice as long after every failure, up to half a minute', () => {
  const expected = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]
  const backOff = new BackOff()
  expect(delays(backOff, 8)).toEqual(expected)
  expect(delays(backOff, 1_000).at(-1)).toBe(30_000)
})

it('forgets failures after a minute without failure', () => {
  const backOff = new BackOff()
  delays(backOff, 3)
  backOff.up()
  vi.advanceTimersByTime(59_999)
  expect(backOff.failed()).toBe(4)
  vi.advanceTimersByTime(60_000)
  expect(backOff.failed()).toBe(5)
  backOff.up()
  vi.advanceTimersByTime(60_000)
  expect(backOff.failed()).toBe(1)
})

it('keeps failures if it is taken down within a minute', () => {
  const backOff = new BackOff()
  delays(backOff, 3)
  backOff.up()
  backOff.down()
  vi.advanceTimersByTime(60_000)
  expect(backOff.failed()).toBe(4)
})

it('forgets on request', () => {
  const backOff = new BackOff()
  delays(backOff, 3)
  backOff.forget()
  expect(backOff.failed()).toBe(1)
})
