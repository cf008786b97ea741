import validRange from 'semver/ranges/valid.js'
import { LabelKey } from '../../../shared/names.ts'
import { DEVICE_KEYS, MatchExpression, type Operator, Targets } from '../../../shared/targets.ts'
import { sentence } from '../strings.ts'

/** One condition while it is written. A label match is `In` by another name. */
export interface Condition {
  readonly id: string
  readonly key: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/** Targets while they are written: rows instead of a record, so that a key can be half typed. */
export interface TargetsDraft {
  readonly labels: readonly Condition[]
  readonly expressions: readonly Condition[]
}

/** What is wrong with a condition: a sentence beside its key or beside its values. */
export interface ConditionIssue {
  readonly key?: string
  readonly values?: string
}

export const NO_TARGETS: TargetsDraft = { labels: [], expressions: [] }

export function newCondition(parts: Partial<Omit<Condition, 'id'>> = {}): Condition {
  return { id: crypto.randomUUID(), key: '', operator: 'In', values: [], ...parts }
}

/** Targets as rows. */
export function draftOf({ matchLabels, matchExpressions }: Targets): TargetsDraft {
  return {
    labels: Object.entries(matchLabels).map(([key, values]) =>
      newCondition({ key, values: [values].flat() }),
    ),
    expressions: matchExpressions.map(({ key, operator, values = [] }) =>
      newCondition({ key, operator, values }),
    ),
  }
}

/** Tells whether an operator is followed by values. */
export function takesValues(operator: Operator): boolean {
  return operator !== 'Exists' && operator !== 'DoesNotExist'
}

/** Reads rows as targets, or finds what is wrong with each, by row id. */
export function readTargets(
  draft: TargetsDraft,
): { ok: true; targets: Targets } | { ok: false; issues: ReadonlyMap<string, ConditionIssue> } {
  const issues = new Map<string, ConditionIssue>()
  const keys = new Set<string>()
  for (const label of draft.labels) {
    const twin = keys.has(label.key)
    const issue = twin
      ? { key: 'This label is listed above. Add the values there.' }
      : issueOf(label)
    keys.add(label.key)
    if (issue !== undefined) issues.set(label.id, issue)
  }
  for (const expression of draft.expressions) {
    const issue = issueOf(expression)
    if (issue !== undefined) issues.set(expression.id, issue)
  }
  if (issues.size > 0) return { ok: false, issues }
  const read = Targets.safeParse(plain(draft))
  if (read.success) return { ok: true, targets: read.data }
  // Applies to all conditions together: shown at the last one.
  const last = draft.expressions.at(-1) ?? draft.labels.at(-1)
  const message = sentence(read.error.issues[0]?.message ?? 'is not valid')
  return { ok: false, issues: new Map(last && [[last.id, { values: message }]]) }
}

/** Tells whether targets name no device in particular. */
export function isEveryDevice({ matchLabels, matchExpressions }: Targets): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0
}

function plain({ labels, expressions }: TargetsDraft): Targets {
  return {
    matchLabels: Object.fromEntries(
      labels.map(({ key, values }) => [key, values.length === 1 ? (values[0] ?? '') : [...values]]),
    ),
    matchExpressions: expressions.map(({ key, operator, values }) =>
      takesValues(operator) ? { key, operator, values: [...values] } : { key, operator },
    ),
  }
}

function issueOf({ key, operator, values }: Condition): ConditionIssue | undefined {
  const named = LabelKey.safeParse(key)
  if (key === '') return { key: 'Is required.' }
  if (!named.success) return { key: sentence(named.error.issues[0]?.message ?? 'is not valid') }
  if (takesValues(operator) && values.length === 0) return { values: 'Give at least one value.' }
  if (operator === 'VersionIn') {
    const wrong = values.find((value) => validRange(value, { includePrerelease: true }) === null)
    if (wrong !== undefined) {
      return { values: `“${wrong}” is not a version range such as >=1.4.0 <2.0.0.` }
    }
  }
  const read = MatchExpression.safeParse(
    takesValues(operator) ? { key, operator, values: [...values] } : { key, operator },
  )
  if (read.success) return undefined
  return { values: sentence(read.error.issues[0]?.message ?? 'is not valid') }
}

/** Keys that an expression can read without a label. */
export const KEY_SUGGESTIONS: readonly string[] = DEVICE_KEYS
