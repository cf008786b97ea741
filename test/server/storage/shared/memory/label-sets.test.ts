import { describe, expect, test } from 'vitest'
import {
  LabelSets,
  NO_SET,
  UNKNOWN_SET,
} from '../../../../../src/server/storage/shared/memory/label-sets.ts'

describe('label sets', () => {
  test('the same labels share one number, whether read or set', () => {
    const sets = new LabelSets()
    const number = sets.numberOf({ ring: 'beta', site: 'Zürich "🎬"' })
    expect(sets.numberOfText('{"ring":"beta","site":"Zürich \\"🎬\\""}')).toBe(number)
    expect(sets.get(number)).toEqual({ ring: 'beta', site: 'Zürich "🎬"' })
    expect(sets.numberOf({ ring: 'internal' })).not.toBe(number)
  })

  test('no labels are a set that is always there', () => {
    const sets = new LabelSets()
    expect([sets.numberOf({}), sets.numberOfText('{}')]).toEqual([NO_SET, NO_SET])
    expect(sets.get(NO_SET)).toEqual({})
  })

  test('when there is no room left, known sets are found and new ones are unknown', () => {
    const sets = new LabelSets()
    let count = 0
    while (sets.numberOf({ set: String(count) }) !== UNKNOWN_SET) count++
    expect(count).toBeGreaterThan(1_000)
    expect(sets.get(sets.numberOf({ set: '0' }))).toEqual({ set: '0' })
    expect(sets.numberOf({})).toBe(NO_SET)
    expect(sets.get(UNKNOWN_SET)).toBeUndefined()
  })
})
