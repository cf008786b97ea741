import type { MatchExpression, Targets } from '../../../shared/targets.ts'
import type { ChangeKind } from './change-kind.ts'

/** One condition in the targets of two releases. */
interface ConditionChange {
  readonly kind: ChangeKind
  readonly from: MatchExpression | undefined
  readonly to: MatchExpression | undefined
}

/**
 * Compares the conditions of two releases as sets: their order, and that of their values, does not matter. A condition
 * counts as changed where its key and operator are in both, with other values.
 */
export function targetChanges(from: Targets, to: Targets): ConditionChange[] {
  const [before, after] = [conditionsOf(from), conditionsOf(to)]
  const same: ConditionChange[] = []
  for (const [text, condition] of before) {
    const twin = after.get(text)
    if (twin === undefined) continue
    same.push({ kind: 'same', from: condition, to: twin })
    before.delete(text)
    after.delete(text)
  }
  const added = [...after.values()]
  const rest = [...before.values()].map((condition): ConditionChange => {
    const index = added.findIndex((other) => isAlike(condition, other))
    const [other] = index === -1 ? [] : added.splice(index, 1)
    return { kind: other === undefined ? 'removed' : 'changed', from: condition, to: other }
  })
  return [
    ...rest,
    ...added.map((to): ConditionChange => ({ kind: 'added', from: undefined, to })),
    ...same,
  ]
}

/** Returns conditions by their meaning. A label match is `In` by another name. */
function conditionsOf({ matchLabels, matchExpressions }: Targets): Map<string, MatchExpression> {
  const labels = Object.entries(matchLabels).map(
    ([key, values]): MatchExpression => ({ key, operator: 'In', values: [values].flat() }),
  )
  return new Map(
    [...labels, ...matchExpressions].map((condition) => {
      const { key, operator, values = [] } = condition
      return [JSON.stringify([key, operator, [...new Set(values)].sort()]), condition]
    }),
  )
}

function isAlike(one: MatchExpression, other: MatchExpression): boolean {
  return one.key === other.key && one.operator === other.operator
}
