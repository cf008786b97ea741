import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ArmsCounter, type TwoArms } from '../../../../src/server/rules/judging/control.ts'
import {
  goneReason,
  isGone,
  isMore,
  lookAtAge,
  recommendedPreset,
} from '../../../../src/server/rules/judging/gone.ts'
import { PLAN_PRESETS, presetPlan } from '../../../../src/shared/plans/plan-presets.ts'

const LIMITS = { maxFailedPct: 3, minSample: 20 }
const DAY = 86_400_000

/** Devices of networks, each by how many are offered the release and not, and how many of these are gone. */
function armsOf(...networks: readonly (readonly [number, number, number, number])[]) {
  const counter = new ArmsCounter()
  for (const [index, [offered, gone, control, away]] of networks.entries()) {
    const network = networks.length === 1 ? null : index
    for (const [arm, devices, some] of [
      ['offered', offered, gone],
      ['control', control, away],
    ] as const) {
      for (let at = 0; at < devices; at += 1) {
        counter.count(network, arm, { silent: false, reverted: false, gone: at < some })
      }
    }
  }
  return counter.arms()
}

test('a device is gone after a day, and after its own usual interval', () => {
  expect([DAY - 1, DAY].map((unseen) => isGone(unseen, 60))).toEqual([false, true])
  expect([DAY, 2 * DAY].map((unseen) => isGone(unseen, 2 * 86_400))).toEqual([false, true])
})

test('they are looked at every six hours, from the first day on', () => {
  const ages = Array.from({ length: 37 }, (_, age) => age).filter((age) => lookAtAge(age) !== null)
  expect(ages).toEqual([24, 30, 36])
  expect(ages.map(lookAtAge)).toEqual([1, 2, 3])
})

test('a release is stopped if far more of its devices are gone than of the control', () => {
  const look = (number: number, ...devices: readonly [number, number, number, number]) =>
    goneReason({ number, arms: armsOf(devices) }, LIMITS)
  expect(look(1, 120, 45, 400, 40)).toMatchObject({
    ...{ code: 'too_many_failures', failed: 45, judged: 120, limitPct: 13, gone: 45 },
    control: { failed: 40, judged: 400 },
  })
  expect(look(1, 120, 40, 400, 130)).toBeNull()
  expect(look(1, 120, 22, 400, 40)).toBeNull()
  // A quarter of few devices, after two days and a half.
  expect(look(7, 44, 11, 400, 8)).not.toBeNull()
  // Too few of the release, or of the control, of which more than half are gone.
  const few = [look(1, 19, 19, 400, 4), look(1, 120, 40, 19, 0), look(1, 200, 200, 400, 201)]
  expect(few).toEqual([null, null, null])
})

test('one network alone stops nothing', () => {
  const spread = [0, 1, 2, 3].map(() => [40, 13, 100, 10] as const)
  expect(goneReason({ number: 1, arms: armsOf(...spread) }, LIMITS)).not.toBeNull()
  const alone = [
    [120, 70, 100, 10] as const,
    ...spread.slice(1).map(() => [30, 3, 100, 10] as const),
  ]
  expect(goneReason({ number: 1, arms: armsOf(...alone.slice(0, 3)) }, LIMITS)).toBeNull()
})

// Every outcome of both arms.
test.each([
  [30, 60, 0.1, 0.05],
  [60, 30, 0.02, 0.05],
  [40, 40, 0.5, 0.01],
  [20, 200, 0.3, 0.02],
  [100, 300, 0.45, 0.01],
  [60, 500, 0.02, 0.002],
])(
  '%i devices beside %i of which %d are gone are taken for too many with a chance of %d at most',
  (offered, control, share, error) => {
    const limit = 0.03
    const [one, other] = [binomial(offered, share + limit), binomial(control, share)]
    let found = 0
    for (const [gone, chance] of one.entries()) {
      for (const [away, otherChance] of other.entries()) {
        if (chance * otherChance < 1e-12) continue
        if (isMore(pair(offered, gone, control, away), limit, error)) found += chance * otherChance
      }
    }
    expect(found).toBeLessThanOrEqual(error)
  },
)

test('the looks together have three tenths of the error, however many there are', () => {
  // The largest error that a look has is found where it stops: each is smaller than the one before.
  const needed = [1, 10, 100, 1_000].map((number) => {
    const isFound = (gone: number) =>
      goneReason({ number, arms: armsOf([200, gone, 1_000, 50]) }, LIMITS) !== null
    return Array.from({ length: 200 }, (_, gone) => gone).find(isFound) ?? 200
  })
  expect(needed).toEqual(needed.toSorted((a, b) => a - b))
  expect(new Set(needed).size).toBe(needed.length)
})

test('the recommended preset reaches enough devices to find that a quarter of them is gone within three days', () => {
  const sizes = [0, 50, 150, 300, 500, 5_000, 1e6]
  const presets = sizes.map((devices) => recommendedPreset({ devices, perDay: 0.8 * devices }))
  const tooFew = ['one-day', 'one-day', 'one-day']
  const found = ['three-days', 'three-days', 'cautious-week', 'cautious-week']
  expect(presets).toEqual([...tooFew, ...found])
  // Many devices, of which few are there.
  expect(recommendedPreset({ devices: 5_000, perDay: 50 })).toBe('one-day')
  const fleets = fc.record({
    devices: fc.integer({ min: 0, max: 100_000 }),
    active: fc.double({ min: 0.05, max: 1, noNaN: true }),
  })
  const placeOf = (devices: number, active: number) => {
    const preset = recommendedPreset({ devices, perDay: devices * active })
    return preset === 'one-day' ? PLAN_PRESETS.length : PLAN_PRESETS.indexOf(preset)
  }
  fc.assert(
    fc.property(fleets, ({ devices, active }) => {
      const place = placeOf(devices, active)
      // Where there are more devices, fewer of them find it.
      expect(placeOf(2 * devices, active)).toBeLessThanOrEqual(place)
      const preset = PLAN_PRESETS[place]
      if (preset === undefined) return
      const [first] = presetPlan(preset, 'UTC').steps
      const share = first !== undefined && 'rolloutPct' in first ? first.rolloutPct / 100 : 0
      const [some, others] = [share, 1 - share].map((part) => Math.floor(part * devices)) as [
        number,
        number,
      ]
      const arms = pair(some, Math.floor(0.27 * some), others, Math.ceil(0.02 * others))
      expect(goneReason({ number: 4, arms: { ...arms, withoutOne: [] } }, LIMITS)).not.toBeNull()
    }),
    { numRuns: 40 },
  )
})

function pair(offered: number, gone: number, control: number, away: number): TwoArms {
  const none = { silent: 0, reverted: 0 }
  return {
    offered: { devices: offered, gone, ...none },
    control: { devices: control, gone: away, ...none },
  }
}

/** The chances of 0 to `devices` of them. */
function binomial(devices: number, share: number): number[] {
  let chances = [1]
  for (let device = 0; device < devices; device += 1) {
    chances = Array.from({ length: device + 2 }, (_, count) => {
      return (chances[count] ?? 0) * (1 - share) + (chances[count - 1] ?? 0) * share
    })
  }
  return chances
}
