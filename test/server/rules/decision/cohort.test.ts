import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cohortBucket, inCohort } from '../../../../src/server/rules/decision/cohort.ts'

const id = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' })
const percent = fc.integer({ min: 0, max: 100 })

describe('the bucket of a device in a rollout', () => {
  test('is the first 32 bits of SHA-256 of release and device, as known from outside', () => {
    // printf %s 'release-1:device-1' | sha256sum
    expect(cohortBucket('release-1', 'device-1')).toBe(0xc1bd17f3 / 2 ** 32)
  })

  test('agrees with the streaming hash', () => {
    fc.assert(
      fc.property(id, id, (release, device) => {
        const digest = createHash('sha256').update(`${release}:${device}`).digest()
        expect(cohortBucket(release, device)).toBe(digest.readUInt32BE(0) / 2 ** 32)
      }),
    )
  })

  test('is even over devices', () => {
    // Chi-square over 50 equal bins of 20,000 fixed ids: 49 degrees of freedom, mean 49,
    // standard deviation 10. A fair spread passes 100 once in 40,000 series; this one is fixed.
    const devices = 20_000
    const bins = new Array<number>(50).fill(0)
    for (let index = 0; index < devices; index += 1) {
      const bin = Math.floor(cohortBucket('release-of-the-chi-square', `device-${index}`) * 50)
      bins[bin] = (bins[bin] ?? 0) + 1
    }
    const expected = devices / 50
    const chiSquare = bins.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    expect(chiSquare).toBeLessThan(100)
  })

  test('is independent between releases', () => {
    const devices = Array.from({ length: 20_000 }, (_, index) => `device-${index}`)
    const first = devices.filter((device) => inCohort('release-a', device, 10))
    const both = first.filter((device) => inCohort('release-b', device, 10))
    expect(first.length / devices.length).toBeCloseTo(0.1, 1)
    expect(both.length / first.length).toBeGreaterThan(0.06)
    expect(both.length / first.length).toBeLessThan(0.14)
  })
})

describe('being in a cohort', () => {
  test('never ends as the percentage grows', () => {
    fc.assert(
      fc.property(id, fc.option(id), percent, percent, (release, device, one, other) => {
        const [lower, higher] = one < other ? [one, other] : [other, one]
        if (inCohort(release, device, lower)) expect(inCohort(release, device, higher)).toBe(true)
      }),
    )
  })

  test('is the same at every asking, and depends on nothing but release, device and percentage', () => {
    fc.assert(
      fc.property(id, id, percent, (release, device, pct) => {
        const answer = inCohort(release, device, pct)
        inCohort(`${release}x`, device, pct)
        inCohort(release, `${device}x`, pct)
        expect(inCohort(release, device, pct)).toBe(answer)
        expect(answer).toBe(cohortBucket(release, device) < pct / 100)
      }),
    )
  })

  test('includes every device at 100 and none at 0', () => {
    fc.assert(
      fc.property(id, fc.option(id), (release, device) => {
        expect(inCohort(release, device, 100)).toBe(true)
        expect(inCohort(release, device, 0)).toBe(false)
      }),
    )
  })

  test('without a device id begins at 100 only', () => {
    fc.assert(
      fc.property(id, percent, (release, pct) => {
        expect(inCohort(release, null, pct)).toBe(pct === 100)
      }),
    )
  })
})
