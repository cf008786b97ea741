import { expect, test } from 'vitest'
import { ClockDoubt } from '../../../../src/server/fleet/upkeep/jobs.ts'
import { DAY, HOUR } from '../../../support/builders/time.ts'

const START = Date.parse('2026-05-01T08:00:00Z')

/** A machine on which `pass` lets time go by, and `set` sets the clock as well. */
function machine(newestSeen: number) {
  let [clock, elapsed] = [START, 0]
  const doubt = new ClockDoubt({ clock: () => clock, elapsed: () => elapsed, newestSeen })
  return {
    doubt,
    pass(time: number) {
      clock += time
      elapsed += time
    },
    set(change: number) {
      clock += change
    },
  }
}

test.each([
  ['no device', 0],
  ['a check-in a month ago', START - 30 * DAY],
  ['a check-in that seems to be in the future', START + 400 * DAY],
])('there is none at the start after %s', (_, newestSeen) => {
  expect(machine(newestSeen).doubt.isDoubtful).toBe(false)
})

test('there is one for a day after a server was off for long, or starts with a wrong clock', () => {
  const { doubt, pass } = machine(START - 31 * DAY)
  expect(doubt.isDoubtful).toBe(true)
  pass(23 * HOUR)
  expect(doubt.isDoubtful).toBe(true)
  pass(HOUR)
  expect(doubt.isDoubtful).toBe(false)
})

test('there is one for a day after the clock jumped ahead, and none after hours of running or sleep', () => {
  const { doubt, pass, set } = machine(START)
  pass(1_000 * HOUR)
  expect(doubt.isDoubtful).toBe(false)
  set(HOUR)
  expect(doubt.isDoubtful).toBe(false)
  set(400 * DAY)
  expect(doubt.isDoubtful).toBe(true)
  pass(23 * HOUR)
  expect(doubt.isDoubtful).toBe(true)
  pass(HOUR)
  expect(doubt.isDoubtful).toBe(false)
  set(-400 * DAY)
  expect(doubt.isDoubtful).toBe(false)
})
