import { expect, test } from 'vitest'
import { Admission } from '../../../../src/server/fleet/ingest/admission.ts'
import { Budgets } from '../../../../src/server/fleet/ingest/budgets.ts'
import type { UsedBudget } from '../../../../src/shared/operation/budgets.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-03-14T12:00:00.000Z')

function open() {
  const noted: UsedBudget[] = []
  const time = { monotonic: 0, wall: START }
  const budgets = new Budgets({
    clock: () => time.wall,
    monotonic: () => time.monotonic,
    onUsedUp: (budget) => noted.push(budget),
  })
  const pass = (milliseconds: number) => {
    time.monotonic += milliseconds
    time.wall += milliseconds
  }
  return { budgets, noted, time, pass }
}

test('a budget counts as used up until an hour has passed without a refusal', () => {
  const { budgets, pass } = open()
  expect(budgets.recent).toEqual([])
  budgets.usedUp('labels')
  pass(HOUR - 1)
  budgets.usedUp('labels')
  const since = '2026-03-14T12:00:00.000Z'
  const last = '2026-03-14T12:59:59.999Z'
  expect(budgets.recent).toEqual([{ name: 'labels', since, last, count: 2 }])
  pass(HOUR)
  expect(budgets.recent).toEqual([])
  budgets.usedUp('labels')
  expect(budgets.recent).toMatchObject([{ name: 'labels', count: 1 }])
})

test('however many refusals there are, one an hour is announced for each budget', () => {
  const { budgets, noted, pass } = open()
  for (let minute = 0; minute < 150; minute++) {
    budgets.usedUp('combinations')
    if (minute === 30) budgets.usedUp('new_devices')
    pass(60_000)
  }
  expect(noted.map(({ name, count }) => [name, count])).toEqual([
    ['combinations', 1],
    ['new_devices', 1],
    ['combinations', 61],
    ['combinations', 121],
  ])
})

test('a clock that is set back or ahead neither hides nor keeps a used-up budget', () => {
  const { budgets, time, pass } = open()
  budgets.usedUp('disk_space')
  time.wall += 48 * HOUR
  expect(budgets.recent).toHaveLength(1)
  time.wall -= 96 * HOUR
  expect(budgets.recent).toHaveLength(1)
  pass(HOUR)
  expect(budgets.recent).toEqual([])
})

test('however many addresses there are, they add devices up to a limit only', () => {
  const usedUp: string[] = []
  const budgets = new Budgets({ clock: () => 0, onUsedUp: ({ name }) => usedUp.push(name) })
  const admission = new Admission(0, budgets, { mostDevices: 3 })
  const admitted = [0, 1, 2, 3, 4].map((devices) => admission.admits(`192.0.2.${devices}`, devices))
  expect(admitted).toEqual([true, true, true, false, false])
  expect(usedUp).toEqual(['new_devices'])
})
