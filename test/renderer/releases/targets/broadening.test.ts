import { describe, expect, it } from 'vitest'
import {
  draftOf,
  narrowingOf,
  newCondition,
} from '../../../../src/renderer/releases/targets/draft.ts'
import type { Targets } from '../../../../src/shared/targets.ts'

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
