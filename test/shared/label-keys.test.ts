import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { issueOf } from '../../src/shared/issue.ts'
import { LabelKey, Labels } from '../../src/shared/names.ts'
import { Targets } from '../../src/shared/releases/targets.ts'

/** What every object answers to, whether it has it or not. */
const INHERITED = [...Object.getOwnPropertyNames(Object.prototype)]
const key = fc.oneof(
  fc.constantFrom(...INHERITED, 'prototype'),
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,20}$/),
  fc.string({ maxLength: 8 }),
)
/** As `JSON.parse` makes them: `__proto__` is a member as any other. */
const members = fc
  .array(fc.tuple(key, fc.stringMatching(/^[a-z]{1,3}$/)), { maxLength: 8 })
  .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))))

const isValid = (name: string) => /^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/.test(name)

describe('an object by label key', () => {
  test('keeps every key or is refused', () => {
    fc.assert(
      fc.property(members, (object) => {
        const valid = Object.keys(object).every(isValid)
        const [labels, targets] = [
          Labels.safeParse(object),
          Targets.safeParse({ matchLabels: object }),
        ]
        expect([labels.success, targets.success]).toEqual([valid, valid])
        if (!valid) return
        expect(Object.entries(labels.data ?? {})).toEqual(Object.entries(object))
        expect(Object.entries(targets.data?.matchLabels ?? {})).toEqual(Object.entries(object))
      }),
    )
  })

  test('refuses __proto__ with the reason that any other key gets', () => {
    const issues = ['__proto__', '__other__'].map((name) => {
      const object = JSON.parse(`{"matchLabels":{"${name}":"beta"}}`)
      const { error } = Targets.safeParse(object)
      return error && issueOf(error, object)
    })
    expect(issues[0]).toEqual({ path: ['matchLabels', '__proto__'], reason: issues[1]?.reason })
    expect(LabelKey.safeParse('__proto__').error?.issues[0]?.message).toBe(issues[0]?.reason)
  })

  test('must still be an object', () => {
    for (const value of [null, 1, 'ring', ['ring'], undefined]) {
      expect(Labels.safeParse(value).success).toBe(false)
    }
  })
})
