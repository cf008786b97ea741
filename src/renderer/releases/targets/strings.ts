import type { MatchExpression, Operator, Targets } from '../../../shared/targets.ts'
import { listed } from '../strings.ts'

/** How the operators read in a sentence and in a list to choose from. */
export const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  In: 'is one of',
  NotIn: 'is none of',
  Exists: 'is set',
  DoesNotExist: 'is not set',
  VersionIn: 'is a version in',
}

/** Says whom targets mean: `Devices whose label ring is beta or internal.` */
export function targetsInWords({ matchLabels, matchExpressions }: Targets): string {
  const conditions = [
    ...Object.entries(matchLabels).map(([key, values]) =>
      conditionInWords({ key, operator: 'In', values: [values].flat() }),
    ),
    ...matchExpressions.map(conditionInWords),
  ]
  if (conditions.length === 0) return 'Every device.'
  return `Devices ${listed(conditions)}.`
}

function conditionInWords({ key, operator, values = [] }: MatchExpression): string {
  const name = nameOf(key)
  const some = listed(values.map(shown), 'or')
  switch (operator) {
    case 'In':
      return `whose ${name} is ${some}`
    case 'NotIn':
      return `whose ${name} is not ${some}, or not set`
    case 'Exists':
      return `whose ${name} is set`
    case 'DoesNotExist':
      return `whose ${name} is not set`
    case 'VersionIn':
      return `whose ${name} is in the range ${some}`
  }
}

const DEVICE_WORDS: Readonly<Record<string, string>> = {
  'device.id': 'id',
  'device.version': 'version',
  'device.platform': 'platform',
  'device.arch': 'architecture',
}

function nameOf(key: string): string {
  return Object.hasOwn(DEVICE_WORDS, key) ? `${DEVICE_WORDS[key]}` : `label ${key}`
}

/** Quoted where a value has a space or could be taken for the sentence's own words. */
function shown(value: string): string {
  return /^[^\s,"]+$/.test(value) ? value : `“${value}”`
}
