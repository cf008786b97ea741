import { describe, expect, it } from 'vitest'
import {
  draftOf,
  narrowingOf,
  newCondition,
  readTargets,
} from '../../../../src/renderer/releases/targets/draft.ts'
import { targetsInWords } from '../../../../src/renderer/releases/targets/strings.ts'
import type { Targets } from '../../../../src/shared/releases/targets.ts'

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

describe('targets in words', () => {
  it('name every condition', () => {
    expect(targetsInWords(TARGETS)).toBe(
      'Devices whose label ring is beta or internal, whose label site is berlin, ' +
        'whose label gpu is not intel, or not set, whose label pilot is set, ' +
        'and whose version is in the range “>=1.4.0 <2.0.0”',
    )
  })

  it('say that no condition means all devices', () => {
    expect(targetsInWords({ matchLabels: {}, matchExpressions: [] })).toBe('All devices')
  })
})

const OFFERED: Targets = {
  matchLabels: { ring: ['beta', 'internal'], site: 'berlin' },
  matchExpressions: [{ key: 'pilot', operator: 'Exists' }],
}

describe('targets that were edited when the first device was offered the release', () => {
  it('are as broad while nothing was changed, or only labels and values were opened up', () => {
    const draft = draftOf(OFFERED)
    const [ring] = draft.labels
    expect(narrowingOf(draft, OFFERED)).toEqual({ issues: new Map(), isExpressionMissing: false })
    const broader = {
      ...draft,
      labels: ring === undefined ? [] : [{ ...ring, values: [...ring.values, 'general'] }],
    }
    expect(narrowingOf(broader, OFFERED).issues.size).toBe(0)
  })

  it('point at conditions that were added, finished or not, so that they can be removed', () => {
    const draft = draftOf(OFFERED)
    const label = newCondition({ key: 'gpu', values: ['amd'] })
    const unfinished = newCondition({ key: 'device.version', operator: 'VersionIn' })
    const added = {
      labels: [...draft.labels, label],
      expressions: [...draft.expressions, unfinished],
    }
    const { issues, isExpressionMissing } = narrowingOf(added, OFFERED)
    expect([...issues.keys()]).toEqual([label.id, unfinished.id])
    expect(isExpressionMissing).toBe(false)
  })

  it('point at labels without a value that they had, and tell that an expression is gone', () => {
    const draft = draftOf(OFFERED)
    const [ring] = draft.labels
    const labels = ring === undefined ? [] : [{ ...ring, values: ['internal'] }]
    const { issues, isExpressionMissing } = narrowingOf({ labels, expressions: [] }, OFFERED)
    expect(issues.get(ring?.id ?? '')?.values).toContain('Add beta again')
    expect(isExpressionMissing).toBe(true)
  })
})
