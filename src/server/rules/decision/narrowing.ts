import type { StepBack } from '../../../shared/refusal.ts'
import type { MatchExpression, Targets } from '../../../shared/releases/targets.ts'

/** A step back of targets. The path starts inside the targets. */
export type Narrowing = Exclude<StepBack, { code: 'rollout_lowered' }>

/**
 * Finds the first change of targets that a release cannot take once it has been offered;
 * `undefined` where every device that was meant still is. The path starts inside the targets.
 *
 * In `matchLabels` a key may go and a value may come: both broaden. `matchExpressions` stay as
 * they are, compared as a set: neither order nor duplicates count, of expressions or of values.
 */
export function narrowing(before: Targets, after: Targets): Narrowing | undefined {
  return narrowedLabel(before.matchLabels, after.matchLabels) ?? changedExpression(before, after)
}

type MatchLabels = Targets['matchLabels']

function narrowedLabel(before: MatchLabels, after: MatchLabels): Narrowing | undefined {
  const known = new Map(Object.entries(before))
  for (const [key, values] of Object.entries(after)) {
    const path = ['matchLabels', key]
    const knownValues = known.get(key)
    if (knownValues === undefined) {
      return { code: 'target_label_added', path }
    }
    const kept = new Set([values].flat())
    const lost = [knownValues].flat().find((value) => !kept.has(value))
    if (lost === undefined) continue
    return { code: 'target_value_removed', path, value: lost }
  }
  return undefined
}

function changedExpression(before: Targets, after: Targets): Narrowing | undefined {
  const known = new Set(before.matchExpressions.map(identityOf))
  const kept = after.matchExpressions.map(identityOf)
  const added = kept.findIndex((identity) => !known.has(identity))
  if (added !== -1)
    return { code: 'target_expressions_changed', path: ['matchExpressions', String(added)] }
  if (known.isSubsetOf(new Set(kept))) return undefined
  return { code: 'target_expressions_changed', path: ['matchExpressions'] }
}

/** The same text for expressions that mean the same. */
function identityOf({ key, operator, values = [] }: MatchExpression): string {
  return JSON.stringify([key, operator, [...new Set(values)].sort()])
}
