import validRange from 'semver/ranges/valid.js'
import type { ZodError } from 'zod'
import { newId } from '../../../shared/basics/new-id.ts'
import { DEVICE_KEYS } from '../../../shared/devices/counting.ts'
import { LabelKey } from '../../../shared/names.ts'
import { MatchExpression, type Operator, Targets } from '../../../shared/releases/targets.ts'
import { sentence } from '../../components/text/sentence.ts'
import { text } from './strings.ts'

/** One condition in the form. A label match is `In` by another name. */
export interface Condition {
  readonly id: string
  readonly key: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/** Targets in the form: rows instead of a record, so that a key can be half typed. */
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
  return { id: newId(), key: '', operator: 'In', values: [], ...parts }
}

/** Returns targets as rows. */
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

/** Returns whether an operator is followed by values. */
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
    const issue = twin ? { key: text.labelTwice } : issueOf(label)
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
  return { ok: false, issues: new Map(last && [[last.id, { values: firstIssue(read.error) }]]) }
}

function plain({ labels, expressions }: TargetsDraft): Targets {
  return {
    matchLabels: Object.fromEntries(
      labels.map(({ key, values }) => [key, values.length === 1 ? (values[0] ?? '') : [...values]]),
    ),
    matchExpressions: expressions.map(conditionOf),
  }
}

/** Returns a row as an expression of targets, complete or not. */
function conditionOf({ key, operator, values }: Condition): MatchExpression {
  return takesValues(operator) ? { key, operator, values: [...values] } : { key, operator }
}

/** Returns whether two drafts hold the same conditions. */
export function isSameDraft(one: TargetsDraft, other: TargetsDraft): boolean {
  return JSON.stringify(plainRows(one)) === JSON.stringify(plainRows(other))
}

function plainRows({ labels, expressions }: TargetsDraft): unknown {
  return [labels.map(conditionOf), expressions.map(conditionOf)]
}

function issueOf(condition: Condition): ConditionIssue | undefined {
  const { key, operator, values } = condition
  if (key === '') return { key: text.required }
  const named = LabelKey.safeParse(key)
  if (!named.success) return { key: firstIssue(named.error) }
  if (takesValues(operator) && values.length === 0) return { values: text.valueRequired }
  if (operator === 'VersionIn') {
    const wrong = values.find((value) => validRange(value, { includePrerelease: true }) === null)
    if (wrong !== undefined) return { values: text.notARange(wrong) }
  }
  const read = MatchExpression.safeParse(conditionOf(condition))
  return read.success ? undefined : { values: firstIssue(read.error) }
}

function firstIssue({ issues: [issue] }: ZodError): string {
  return issue === undefined ? text.invalid : sentence(issue.message)
}

/** Keys that an expression can read without a label. */
export const KEY_SUGGESTIONS: readonly string[] = DEVICE_KEYS

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
