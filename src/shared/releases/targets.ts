import { z } from 'zod'
import { MAX_LABELS } from '../devices/counting.ts'
import { byLabelKey, LabelKey, LabelValue } from '../names.ts'

/**
 * Maximum values of targets in total. Each must be prepared, and ranges are evaluated in every update
 * check.
 */
const MAX_TARGET_VALUES = 1_024
/** Maximum alternatives, separated by `||`, of all ranges of `VersionIn` together. */
const MAX_RANGE_ALTERNATIVES = 64
/** Maximum characters of all ranges together. */
const MAX_RANGE_CHARACTERS = 2_048

export const Operator = z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'VersionIn'])
export type Operator = z.infer<typeof Operator>

/** Maximum values of an expression. */
const MAX_VALUES = 256

const value = LabelValue.min(1, 'must not be empty')

const MatchLabels = byLabelKey(
  z.union([value, z.array(value).min(1, 'must name a value').max(256)]),
)
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, {
    message: `must hold at most ${MAX_LABELS} labels, the limit of a device`,
  })
  .meta({
    description: 'Every key must match; a list matches any of its values',
    examples: [{ ring: ['beta', 'internal'] }],
  })

/** The values of an expression in the API description. */
const someValues = (minItems: number, maxItems = MAX_VALUES) => ({
  ...{ type: 'array', items: { type: 'string' } },
  ...{ minItems, maxItems },
})

export const MatchExpression = z
  .strictObject({
    key: LabelKey,
    operator: Operator,
    values: z.array(value).max(MAX_VALUES, `must hold at most ${MAX_VALUES} values`).optional(),
  })
  .check((context) => {
    const { operator, values = [] } = context.value
    const wantsValues = operator !== 'Exists' && operator !== 'DoesNotExist'
    if (wantsValues === values.length > 0) return
    const message = wantsValues ? `is required by ${operator}` : `must be left out with ${operator}`
    context.issues.push({ code: 'custom', path: ['values'], input: values, message })
  })
  .meta({
    // The same rule for the API description.
    oneOf: [
      {
        properties: { operator: { enum: ['In', 'NotIn', 'VersionIn'] }, values: someValues(1) },
        required: ['operator', 'values'],
      },
      {
        properties: { operator: { enum: ['Exists', 'DoesNotExist'] }, values: someValues(0, 0) },
        required: ['operator'],
      },
    ],
  })
export type MatchExpression = z.infer<typeof MatchExpression>

/**
 * The devices that a release targets. Empty targets match every device.
 * Whether the values of `VersionIn` are ranges is checked where targets are compiled.
 */
export const Targets = z
  .strictObject({
    matchLabels: MatchLabels.default({}),
    matchExpressions: z
      .array(MatchExpression)
      .max(64, 'must hold at most 64 expressions')
      .default([]),
  })
  .check((context) => {
    const message = excessOf([context.value])
    if (message === undefined) return
    context.issues.push({ code: 'custom', input: context.value, message })
  })
  .meta({ description: 'Devices that a release is offered to; empty for all devices' })
export type Targets = z.infer<typeof Targets>

/** Targets that every device meets. */
export const EVERY_DEVICE: Targets = { matchLabels: {}, matchExpressions: [] }

interface Conditions {
  readonly matchLabels: Readonly<Record<string, string | readonly string[]>>
  readonly matchExpressions: readonly MatchExpression[]
}

/** Returns whether targets match all devices. */
export function isEveryDevice({ matchLabels, matchExpressions }: Conditions): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0
}

/** Returns which limit the targets exceed together; undefined if none. */
export function excessOf(targets: readonly Conditions[]): string | undefined {
  const matchExpressions = targets.flatMap((each) => each.matchExpressions)
  const values = [
    ...targets.flatMap(({ matchLabels }) => Object.values(matchLabels).flat()),
    ...matchExpressions.flatMap(({ values = [] }) => values),
  ]
  if (values.length > MAX_TARGET_VALUES) {
    return `must hold at most ${MAX_TARGET_VALUES} values in total`
  }
  const ranges = matchExpressions
    .filter(({ operator }) => operator === 'VersionIn')
    .flatMap(({ values = [] }) => values)
  const text = ranges.join('||')
  const isWithin =
    text.length <= MAX_RANGE_CHARACTERS && text.split('||').length <= MAX_RANGE_ALTERNATIVES
  if (isWithin) return undefined
  return `must hold at most ${MAX_RANGE_ALTERNATIVES} version ranges (alternatives of || count separately) and ${MAX_RANGE_CHARACTERS} characters in total`
}
