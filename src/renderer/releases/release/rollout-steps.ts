import type { RolloutMark } from '../../../shared/console/fleet.ts'
import type { Release } from '../../../shared/releases/release.ts'

type Change = Pick<RolloutMark, 'at' | 'change' | 'rolloutPct'>

/**
 * Returns the percentage that a release was offered to at the end of each step; 0 while it is paused or rolled back, null before
 * it was published. `changes`: those within the steps, oldest first.
 */
export function rolloutBySteps(
  steps: readonly string[],
  changes: readonly Change[],
  { createdAt, rolloutPct, status }: Pick<Release, 'createdAt' | 'rolloutPct' | 'status'>,
): (number | null)[] {
  // What it was before the first change is not told by it; without any it is what it is now.
  let pct = changes[0]?.change === 'published' ? null : changes.length === 0 ? rolloutPct : null
  let isServed = changes.length > 0 || status === 'published'
  let next = 0
  return steps.map((_, index) => {
    const end = steps[index + 1]
    for (; next < changes.length; next += 1) {
      const change = changes[next]
      if (change === undefined || (end !== undefined && change.at >= end)) break
      if (change.rolloutPct !== null) pct = change.rolloutPct
      if (change.change === 'paused' || change.change === 'rolled_back') isServed = false
      if (change.change === 'resumed' || change.change === 'published') isServed = true
    }
    if (end !== undefined && createdAt >= end) return null
    return isServed ? pct : 0
  })
}
