import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  devicesToExclude,
  ERROR,
  EXCLUDED,
  evidenceAbove,
  evidenceBelow,
  evidenceBeside,
  validHigh,
  validInterval,
} from '../../../src/shared/health/always-valid.ts'

type Excludes = (failed: number, judged: number) => boolean

/** Enumerates every sequence of outcomes, and returns the chance that one is ever excluded, and the devices that it takes. */
function enumerate(share: number, looks: number, excludes: Excludes) {
  let alive = new Map([[0, 1]])
  let [excluded, devices] = [0, 0]
  for (let judged = 1; judged <= looks; judged += 1) {
    const next = new Map<number, number>()
    const add = (failed: number, chance: number) => {
      if (excludes(failed, judged)) excluded += chance
      else next.set(failed, (next.get(failed) ?? 0) + chance)
    }
    for (const [failed, chance] of alive) {
      devices += chance
      if (chance < 1e-12) continue
      add(failed, chance * (1 - share))
      add(failed + 1, chance * share)
    }
    alive = next
  }
  return { excluded, devices }
}

const isAbove =
  (limit: number): Excludes =>
  (failed, judged) =>
    evidenceAbove(failed, judged, limit) >= EXCLUDED
const isBelow =
  (limit: number): Excludes =>
  (failed, judged) =>
    evidenceBelow(failed, judged, limit) >= EXCLUDED

describe.each([0.005, 0.03, 0.1, 0.4])(
  'with a limit of %d and a look at each of 200 devices',
  (limit) => {
    test.each([1, 0.7, 0.2])(
      '%d times as many failures are taken for more at most once in 40',
      (part) => {
        const { excluded } = enumerate(limit * part, 200, isAbove(limit))
        expect(excluded).toBeLessThanOrEqual(ERROR)
      },
    )

    test.each([1, 1.3, 2])('%d times as many are taken for fewer at most once in 40', (times) => {
      const { excluded } = enumerate(limit * times, 200, isBelow(limit))
      expect(excluded).toBeLessThanOrEqual(ERROR)
    })
  },
)

test.each([
  [0.05, 1.3],
  [0.1, 1.3],
  [0.15, 1.4],
  [0.2, 1.4],
  [0.3, 1.6],
])(
  'a share of %d is told from three percent by nearly as few devices as are possible',
  (share, times) => {
    const perDevice = share * Math.log(share / 0.03) + (1 - share) * Math.log((1 - share) / 0.97)
    const { excluded, devices } = enumerate(share, 4_000, isAbove(0.03))
    expect(excluded).toBeGreaterThan(0.99)
    expect(devices).toBeLessThan((times * Math.log(EXCLUDED)) / perDevice)
  },
)

describe.each([
  [0.1, 0.02, 1, 0],
  [0.03, 0.3, 1, 0],
  [0, 0.1, 1, 0],
  [0.03, 0.2, 1.4, 0],
  [0.1, 0.1, 1.4, 0.05],
])(
  'with a limit of %d or the %d of a control, %d times, and %d more, and a look at each of 20 pairs',
  (own, share, part, more) => {
    test.each([1, 0.5])('%d times as many are taken for too many at most once in 40', (times) => {
      const failing = (more + Math.max(own, part * share)) * times
      const allowed = { own, part, more }
      let alive = new Map([['0 0', 1]])
      let excluded = 0
      for (let judged = 1; judged <= 20; judged += 1) {
        const next = new Map<string, number>()
        for (const [state, chance] of alive) {
          const [failed = 0, beside = 0] = state.split(' ').map(Number)
          for (const [one, oneChance] of [
            [0, 1 - failing],
            [1, failing],
          ] as const) {
            for (const [other, otherChance] of [
              [0, 1 - share],
              [1, share],
            ] as const) {
              const now = chance * oneChance * otherChance
              const control = { failed: beside + other, judged }
              const key = `${failed + one} ${beside + other}`
              if (evidenceBeside(failed + one, judged, control, allowed) >= EXCLUDED)
                excluded += now
              else if (now > 1e-9) next.set(key, (next.get(key) ?? 0) + now)
            }
          }
        }
        alive = next
      }
      expect(excluded).toBeLessThanOrEqual(ERROR)
    })
  },
)

test('the evidence beside a control is the least for any share of it', () => {
  const counts = fc.record({
    ...{ failed: fc.nat({ max: 60 }), adopted: fc.nat({ max: 200 }) },
    ...{ gone: fc.nat({ max: 40 }), there: fc.nat({ max: 400 }) },
    ...{
      own: fc.constantFrom(0, 0.03, 0.1),
      part: fc.constantFrom(1, 1.4),
      more: fc.constantFrom(0, 0.02),
    },
  })
  fc.assert(
    fc.property(counts, ({ failed, adopted, gone, there, ...allowed }) => {
      const [judged, control] = [failed + adopted, { failed: gone, judged: gone + there }]
      const found = evidenceBeside(failed, judged, control, allowed)
      // Where the control is certain to have that share, there is nothing less.
      for (const share of [0.01, 0.05, 0.1, 0.2, 0.4, 0.8]) {
        const many = { failed: 1e7 * share, judged: 1e7 }
        const known = evidenceBeside(failed, judged, many, allowed)
        const limit = Math.min(1, allowed.more + Math.max(allowed.own, allowed.part * share))
        expect(known).toBeLessThanOrEqual(0.51 + evidenceAbove(failed, judged, limit))
      }
      expect(found).toBeLessThanOrEqual(
        1 + evidenceAbove(failed, judged, allowed.own + allowed.more),
      )
    }),
    { numRuns: 50 },
  )
})

test('a control says the more the larger it is, and without devices nothing is shown', () => {
  const beside = (judged: number) =>
    evidenceBeside(30, 100, { failed: judged / 20, judged }, { own: 0.03, part: 1, more: 0 })
  expect(beside(0)).toBeLessThan(1)
  const larger = [20, 200, 2_000, 20_000].map(beside)
  expect(larger).toEqual(larger.toSorted((one, other) => one - other))
  expect(beside(2_000_000)).toBeGreaterThan(evidenceAbove(30, 100, 0.05) / 10)
  expect(beside(2_000_000)).toBeLessThan(evidenceAbove(30, 100, 0.05))
})

test.each([0.005, 0.1])('the bound of a share of %d, for large samples, is as valid', (share) => {
  const { excluded } = enumerate(share, 200, (failed, judged) => validHigh(failed, judged) < share)
  expect(excluded).toBeLessThanOrEqual(ERROR)
  expect(validHigh(100, 10_000)).toBeLessThan(validInterval(100, 10_000).high)
  expect([validHigh(0, 0), validHigh(3, 3)]).toEqual([1, 1])
})

test('the interval is what is not excluded, and contains what was seen', () => {
  const counts = fc
    .integer({ min: 1, max: 100_000 })
    .chain((judged) => fc.tuple(fc.integer({ min: 0, max: judged }), fc.constant(judged)))
  fc.assert(
    fc.property(counts, ([failed, judged]) => {
      const { low, high } = validInterval(failed, judged)
      expect(low).toBeLessThanOrEqual(failed / judged)
      expect(high).toBeGreaterThanOrEqual(failed / judged)
      if (low > 0) expect(evidenceAbove(failed, judged, low)).toBeGreaterThanOrEqual(EXCLUDED)
      if (high < 1) expect(evidenceBelow(failed, judged, high)).toBeGreaterThanOrEqual(EXCLUDED)
    }),
  )
  expect(validInterval(0, 0)).toEqual({ low: 0, high: 1 })
})

test('so many devices exclude a share of which a third fails, and no fewer', () => {
  const needed = [0, 0.03, 1].map((share) => devicesToExclude(share))
  expect(needed).toEqual([Number.POSITIVE_INFINITY, 478, 6])
  expect(devicesToExclude(0.03, 0.03)).toBe(Number.POSITIVE_INFINITY)
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 1, noNaN: true }), (share) => {
      const devices = devicesToExclude(share)
      const evidence = (some: number) => evidenceBelow((some * share) / 3, some, share)
      expect(evidence(devices)).toBeGreaterThanOrEqual(EXCLUDED)
      if (devices > 1) expect(evidence(devices - 1)).toBeLessThan(EXCLUDED)
    }),
  )
})
