import { describe, expect, it } from 'vitest'
import {
  draftOf,
  newCondition,
  readTargets,
} from '../../../../src/renderer/releases/targets/draft.ts'
import type { Targets } from '../../../../src/shared/targets.ts'

const TARGETS: Targets = {
  matchLabels: { ring: ['beta', 'internal'], site: 'berlin' },
  matchExpressions: [
    { key: 'gpu', operator: 'NotIn', values: ['intel'] },
    { key: 'pilot', operator: 'Exists' },
    { key: 'device.version', operator: 'VersionIn', values: ['>=1.4.0 <2.0.0'] },
  ],
}

describe('targets as rows', () => {
  it('are the same targets when they are read again', () => {
    expect(readTargets(draftOf(TARGETS))).toEqual({ ok: true, targets: TARGETS })
  })

  it.each([
    [{ key: '' }, { key: 'Required' }],
    [{ key: 'ring' }, { values: 'Enter at least one value' }],
    [{ key: '-ring', values: ['a'] }, { key: expect.stringMatching(/^Is not a label key/) }],
    [
      { key: 'device.version', operator: 'VersionIn' as const, values: ['newest'] },
      { values: '“newest” is not a version range such as >=1.4.0 <2.0.0' },
    ],
  ])('with %j are refused beside the field', (parts, issue) => {
    const condition = newCondition(parts)
    const read = readTargets({ labels: [], expressions: [condition] })
    expect(read).toEqual({ ok: false, issues: new Map([[condition.id, issue]]) })
  })

  it('with too many values in all are refused at the last condition', () => {
    const values = Array.from({ length: 256 }, (_, index) => `v${index}`)
    const expressions = Array.from({ length: 5 }, () => newCondition({ key: 'ring', values }))
    const issue = { values: 'Must hold at most 1024 values in total.' }
    const issues = new Map([[expressions[4]?.id, issue]])
    expect(readTargets({ labels: [], expressions })).toEqual({ ok: false, issues })
  })

  it('with one label twice are refused at the second', () => {
    const labels = [
      newCondition({ key: 'ring', values: ['a'] }),
      newCondition({ key: 'ring', values: ['b'] }),
    ]
    const read = readTargets({ labels, expressions: [] })
    expect(read).toMatchObject({ ok: false })
    expect(!read.ok && [...read.issues.keys()]).toEqual([labels[1]?.id])
  })
})
