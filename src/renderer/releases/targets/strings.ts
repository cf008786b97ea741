import type { MatchExpression, Operator, Targets } from '../../../shared/releases/targets.ts'
import { formatList } from '../../../shared/wording/format.ts'

export const text = {
  targets: 'Targets:',
  incomplete: 'complete the conditions above',
  labels: 'Labels',
  expressions: 'Expressions',
  noLabels: 'No labels',
  noExpressions: 'No expressions',
  addLabel: 'Add label',
  addExpression: 'Add expression',
  label: (number: number) => `label ${number}`,
  expression: (number: number) => `expression ${number}`,
  keyOf: (condition: string) => `Key of ${condition}`,
  comparisonOf: (condition: string) => `Comparison of ${condition}`,
  valuesOf: (condition: string) => `Values of ${condition}`,
  rangesOf: (condition: string) => `Ranges of ${condition}`,
  remove: (condition: string) => `Remove ${condition}`,
  keyExample: 'Label, such as ring',
  valueHint: 'Add value',
  rangeHint: '>=1.4.0 <2.0.0',
  broadenTitle: 'Targets can only be broadened',
  broaden:
    'Devices have been offered this release. You can remove a label or add values to it, so that more devices match. You cannot add conditions, remove values or change expressions.',
  startOver: 'Reset to current targets',
  required: 'Required',
  invalid: 'Not valid',
  valueRequired: 'Enter at least one value',
  labelTwice: 'This label is already listed above. Add the values there.',
  notARange: (value: string) => `“${value}” is not a version range such as >=1.4.0 <2.0.0`,
  addedAfterOffer: 'Devices have been offered this release. Remove this condition.',
  valuesRemoved: (values: readonly string[]) =>
    `Devices have been offered this release. Add ${formatList(values.map(shown))} again, or remove the label.`,
  expressionsRemoved:
    'Devices have been offered this release, so its expressions cannot be changed or removed. Reset to the current targets to continue.',
} as const

/** How the operators read in a phrase and in a list to choose from. */
export const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  In: 'is one of',
  NotIn: 'is none of',
  Exists: 'is set',
  DoesNotExist: 'is not set',
  VersionIn: 'is a version in',
}

/**
 * Returns which devices targets match, as a phrase without a full stop: `Devices whose label ring is beta`.
 * It also goes after `Targets:`, in lower case.
 */
export function targetsInWords({ matchLabels, matchExpressions }: Targets): string {
  const conditions = [
    ...Object.entries(matchLabels).map(([key, values]) =>
      conditionInWords({ key, operator: 'In', values: [values].flat() }),
    ),
    ...matchExpressions.map(conditionInWords),
  ]
  return conditions.length === 0 ? 'All devices' : `Devices ${formatList(conditions)}`
}

/** Returns the same with its name: `Targets: all devices`. */
export function targetsLine(targets: Targets): string {
  return `${text.targets} ${inSentence(targetsInWords(targets))}`
}

/** Returns a phrase as it goes on after other words. */
export function inSentence(phrase: string): string {
  return phrase.charAt(0).toLowerCase() + phrase.slice(1)
}

function conditionInWords({ key, operator, values = [] }: MatchExpression): string {
  const name = nameOf(key)
  const some = formatList(values.map(shown), 'or')
  const words: Record<typeof operator, string> = {
    In: `whose ${name} is ${some}`,
    NotIn: `whose ${name} is not ${some}, or not set`,
    Exists: `whose ${name} is set`,
    DoesNotExist: `whose ${name} is not set`,
    VersionIn: `whose ${name} is in the range ${some}`,
  }
  return words[operator]
}

const DEVICE_WORDS: Readonly<Record<string, string>> = {
  'device.id': 'ID',
  'device.version': 'version',
  'device.platform': 'platform',
  'device.arch': 'architecture',
}

function nameOf(key: string): string {
  return Object.hasOwn(DEVICE_WORDS, key) ? `${DEVICE_WORDS[key]}` : `label ${key}`
}

/** Quoted where a value has a space or could be taken for the phrase's own words. */
function shown(value: string): string {
  return /^[^\s,"]+$/.test(value) ? value : `“${value}”`
}
