import type { Issue } from '../../shared/issue.ts'
import type { MatchExpression, Targets } from '../../shared/targets.ts'

const FROZEN = 'cannot change: the release has been offered to devices'

/**
 * Finds the first change of targets that a release cannot take once it has been offered;
 * `undefined` where every device that was meant still is. The path starts inside the targets.
 *
 * In `matchLabels` a key may go and a value may come: both broaden. `matchExpressions` stay as
 * they are, compared as a set: neither order nor duplicates count, of expressions or of values.
 */
export function narrowingIssue(before: Targets, after: Targets): Issue | undefined {
  return labelIssue(before.matchLabels, after.matchLabels) ?? expressionIssue(before, after)
}

type MatchLabels = Targets['matchLabels']

function labelIssue(before: MatchLabels, after: MatchLabels): Issue | undefined {
  const known = new Map(Object.entries(before))
  for (const [key, values] of Object.entries(after)) {
    const path = ['matchLabels', key]
    const knownValues = known.get(key)
    if (knownValues === undefined) {
      return { path, reason: 'cannot be added: the release has been offered to devices' }
    }
    const kept = new Set([values].flat())
    const lost = [knownValues].flat().find((value) => !kept.has(value))
    if (lost === undefined) continue
    const reason = `cannot lose ${JSON.stringify(lost)}: the release has been offered to devices`
    return { path, reason }
  }
  return undefined
}

function expressionIssue(before: Targets, after: Targets): Issue | undefined {
  const known = new Set(before.matchExpressions.map(identityOf))
  const kept = after.matchExpressions.map(identityOf)
  const added = kept.findIndex((identity) => !known.has(identity))
  if (added !== -1) return { path: ['matchExpressions', added], reason: FROZEN }
  if (known.isSubsetOf(new Set(kept))) return undefined
  return { path: ['matchExpressions'], reason: FROZEN }
}

/** The same text for expressions that mean the same. */
function identityOf({ key, operator, values = [] }: MatchExpression): string {
  return JSON.stringify([key, operator, [...new Set(values)].sort()])
}
