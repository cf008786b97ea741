import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changesOf } from '../../../src/renderer/audit/field-diff.ts'

describe('the parts of a change', () => {
  it('are those that differ, in words', () => {
    const targets = { matchLabels: { ring: 'beta' }, matchExpressions: [] }
    expect(
      changesOf(
        { rolloutPct: 10, status: 'published', targets: { ...targets, matchLabels: {} } },
        { rolloutPct: 25, status: 'published', targets },
      ),
    ).toEqual([
      { name: 'Rollout', before: '10%', after: '25%' },
      { name: 'Targets', before: 'All devices', after: 'Devices whose label ring is beta' },
    ])
  })

  it('name what is new, and go into what they hold', () => {
    const after = {
      name: 'beta',
      policy: { updateMode: 'optional', minimumSupportedVersion: '1.0.0' },
    }
    expect(changesOf(null, after)).toEqual([
      { name: 'Name', before: undefined, after: 'beta' },
      { name: 'Policy, Updates', before: undefined, after: 'Optional' },
      { name: 'Policy, Minimum supported version', before: undefined, after: '1.0.0' },
    ])
  })

  it('read whatever an entry holds, and find no difference in the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        for (const { name, before: was, after: is } of changesOf(before, after)) {
          expect([typeof name, was === is]).toEqual(['string', false])
        }
        expect(changesOf(before, structuredClone(before))).toEqual([])
      }),
    )
  })
})
