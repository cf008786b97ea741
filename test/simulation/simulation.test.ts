// @module-tag long

import { expect, test } from 'vitest'
import { attackedBy } from './attackers.ts'
import { outcomeOf, summarize } from './measure.ts'

const JUDGES = ['with a previous release', 'first release', 'steps wait'] as const

const many = (seeds: readonly number[], share: number, devices = 400) =>
  seeds.map((seed) => outcomeOf(1_000_000 + seed, share, JUDGES, { devices }))

test('healthy rollouts are not stopped', () => {
  const healthy = many([0, 1, 2, 3, 4, 5], 0)
  expect(healthy.every(({ harmed }) => harmed === 0)).toBe(true)
  for (const name of JUDGES) expect(summarize(healthy, name).stopped).toBe(0)
})

// Not those that are stuck, which look like devices whose owners postpone the update.
const SEEDS = [1, 2, 3, 4, 6, 7, 8, 9]

test('of those that break a fifth of their devices, most are stopped before half of them', () => {
  const broken = many(SEEDS, 0.2)
  for (const name of JUDGES.slice(0, 2)) {
    const { stopped, harmed, harmedBySchedule } = summarize(broken, name)
    expect(stopped).toBeGreaterThan(5)
    expect(harmed).toBeLessThan(harmedBySchedule / 2)
  }
})

test('fewer devices are harmed where offers wait within a step', () => {
  const broken = many(SEEDS, 0.1)
  const harmed = (name: (typeof JUDGES)[number]) => summarize(broken, name).harmed
  expect(harmed('with a previous release')).toBeLessThan(0.95 * harmed('steps wait'))
})

test('the same seed is the same rollout, whoever else watches it', () => {
  const [name] = JUDGES
  const alone = outcomeOf(7, 0.1, [name], { devices: 200 })
  expect(alone).toEqual(outcomeOf(7, 0.1, [name], { devices: 200 }))
  const together = outcomeOf(7, 0.1, JUDGES, { devices: 200 })
  expect(together.judged[name]).toEqual(alone.judged[name])
  expect(together.harmed).toBe(alone.harmed)
})

test.each(['cause', 'prevent'] as const)(
  'devices that are invented after the release, or in one network, %s no stop',
  (aim) => {
    const attacks = [
      { networks: 1, perHour: 1_000, ahead: 192 },
      { networks: 100, perHour: 1_000, ahead: 0 },
    ]
    const stopped = aim === 'prevent'
    const { alone, attacked, aloneHeld, held } = attackedBy(1_000_001, 300, aim, attacks).now
    expect([alone, ...attacked]).toEqual([stopped, stopped, stopped])
    // Nor do offers wait because of them.
    if (aim === 'cause') expect([aloneHeld, ...held]).toEqual([false, false, false])
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
  const { alone, attacked, aloneHeld, held } = attackedBy(
    1_000_000 + seed,
    devices,
    aim,
    attacks,
  ).now
  expect(attacked).toEqual([alone, alone])
  if (aim === 'cause') expect(held).toEqual([aloneHeld, aloneHeld])
})
