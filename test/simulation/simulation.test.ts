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
    expect(attackedBy(1_000_001, 300, aim, attacks).now).toEqual({
      ...{ alone: stopped, attacked: [stopped, stopped] },
    })
  },
)

// Draws in which one network stopped a release that works, as the first to be offered it, or hid one that fails.
test.each([
  ...[6, 12, 15, 16, 17, 31].map((seed) => ['cause', 50, seed] as const),
  ...[0, 3, 6, 14].map((seed) => ['cause', 100, seed] as const),
  ...[4, 45].map((seed) => ['prevent', 100, seed] as const),
  ...[['prevent', 200, 6] as const, ['prevent', 500, 34] as const],
  ['cause', 5_000, 3] as const,
])('one network, to %s a stop among %i devices: draw %i', (aim, devices, seed) => {
  const attacks = [1, 1_000].map((perHour) => ({ networks: 1, perHour, ahead: 192 }))
  const { alone, attacked } = attackedBy(1_000_000 + seed, devices, aim, attacks).now
  expect(attacked).toEqual([alone, alone])
})
