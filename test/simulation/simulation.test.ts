import { expect, test } from 'vitest'
import { attackedBy } from './attackers.ts'
import { outcomeOf, summarize } from './measure.ts'

const JUDGES = ['with a previous release', 'first release'] as const

const many = (rollouts: number, share: number) =>
  Array.from({ length: rollouts }, (_, seed) => outcomeOf(1_000_000 + seed, share, JUDGES))

test('healthy rollouts are not stopped', () => {
  const healthy = many(8, 0)
  expect(healthy.every(({ harmed }) => harmed === 0)).toBe(true)
  expect(summarize(healthy, 'with a previous release').stopped).toBe(0)
  expect(summarize(healthy, 'first release').stopped).toBe(0)
})

test('of those that break a fifth of their devices, most are stopped before half of them', () => {
  const broken = many(8, 0.2)
  for (const name of JUDGES) {
    const { stopped, harmed, harmedBySchedule } = summarize(broken, name)
    expect(stopped).toBeGreaterThan(5)
    expect(harmed).toBeLessThan(harmedBySchedule / 2)
  }
})

test('the same seed is the same rollout', () => {
  expect(outcomeOf(7, 0.1)).toEqual(outcomeOf(7, 0.1))
})

test.each(['cause', 'prevent'] as const)(
  'devices that are invented after the release, or in one network, %s no stop',
  (aim) => {
    const attacks = [
      { networks: 1, perHour: 1_000, ahead: 192 },
      { networks: 100, perHour: 1_000, ahead: 0 },
    ]
    const stopped = aim === 'prevent'
    expect(attackedBy(1_000_001, 300, aim, 'now', attacks)).toEqual({
      ...{ alone: stopped, attacked: [stopped, stopped] },
    })
  },
)
