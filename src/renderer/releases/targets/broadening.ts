import type { MatchExpression, Targets } from '../../../shared/targets.ts'
import { type Condition, type ConditionIssue, conditionOf, type TargetsDraft } from './draft.ts'
import { text } from './strings.ts'

/** What keeps targets in the form from being broader than those that devices were offered. */
interface Narrowing {
  /** By the id of the condition. */
  readonly issues: ReadonlyMap<string, ConditionIssue>
  /** True if an expression is gone or was changed. */
  readonly isExpressionMissing: boolean
}

/**
 * Returns what of a draft would take the release back from devices. A draft can be started before the first
 * offer and finished after it, so every condition that was added or changed must stay removable.
 */
export function narrowingOf(draft: TargetsDraft, offered: Targets): Narrowing {
  const issues = new Map<string, ConditionIssue>()
  for (const { id, key, values } of draft.labels) {
    const kept = keptValues(offered, key)
    const removed = kept?.filter((value) => !values.includes(value)) ?? []
    if (kept === undefined) issues.set(id, { key: text.addedAfterOffer })
    else if (removed.length > 0) issues.set(id, { values: text.valuesRemoved(removed) })
  }
  const missing = offered.matchExpressions.map(textOf)
  for (const expression of draft.expressions) {
    const known = missing.indexOf(textOf(conditionOf(expression)))
    if (known === -1) issues.set(expression.id, { key: text.addedAfterOffer })
    else missing.splice(known, 1)
  }
  return { issues, isExpressionMissing: missing.length > 0 }
}

/** Returns the values that a label must keep; undefined for a label that the offered targets do not have. */
export function keptValues({ matchLabels }: Targets, key: string): readonly string[] | undefined {
  return Object.hasOwn(matchLabels, key) ? [matchLabels[key] ?? []].flat() : undefined
}

/** Returns whether an expression is one that the offered targets have, so that it must stay as it is. */
export function isOfferedExpression(row: Condition, { matchExpressions }: Targets): boolean {
  const known = textOf(conditionOf(row))
  return matchExpressions.some((expression) => textOf(expression) === known)
}

function textOf({ key, operator, values = [] }: MatchExpression): string {
  return JSON.stringify([key, operator, values])
}
