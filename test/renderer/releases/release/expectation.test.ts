import { expect, test } from 'vitest'
import { withExpectation } from '../../../../src/renderer/releases/release/expectation.ts'

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 10, day, hour)).toISOString()
const days = [18, 19, 20].map((day) => ({ at: at(day), devices: day - 18, total: 100 }))
const step = (index: number, rolloutPct: number, time: string | null) => ({
  ...{ step: index, rolloutPct, rings: null, at: time },
})

test('the rollout of each day is taken of the devices that check in, and of those usual on days to come', () => {
  const marks = [{ at: at(19, 9), rolloutPct: 5 }]
  const forecast = { steps: [step(1, 50, at(21, 12)), step(2, 100, at(22, 12))], finished: null }
  const curve = withExpectation(days, marks, forecast)
  expect(curve.map(({ expected }) => expected)).toEqual([null, 5, 5, 50, 100])
  expect(curve.map(({ devices }) => devices)).toEqual([0, 1, 2, null, null])
  expect(curve.at(-1)?.at).toBe(at(22))
})

test('today counts as a usual day until more have checked in', () => {
  const morning = [...days.slice(0, 2), { at: at(20), devices: 2, total: 10 }]
  const marks = [{ at: at(18), rolloutPct: 10 }]
  const curve = withExpectation(morning, marks, { steps: [], finished: null })
  expect(curve.map(({ expected }) => expected)).toEqual([10, 10, 10])
})

test('steps with a ring and steps without a time say nothing of the share of devices', () => {
  const ring = { ...step(0, 10, at(21)), rings: ['testers'] }
  const curve = withExpectation(days, [], { steps: [ring, step(1, 10, null)], finished: null })
  expect(curve.map(({ expected }) => expected)).toEqual([null, null, null])
})

test('a plan of months shows two weeks', () => {
  const marks = [{ at: at(18), rolloutPct: 1 }]
  const far = { steps: [step(1, 100, at(90))], finished: null }
  expect(withExpectation(days, marks, far)).toHaveLength(3 + 14)
})
