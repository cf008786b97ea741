import { z } from 'zod'
import { byLabelKey, LabelKey, LabelValue } from './names.ts'

/** Facts of a device that an expression may use beside its labels. */
export const DEVICE_KEYS = [
  'device.id',
  'device.version',
  'device.platform',
  'device.arch',
] as const

export const Operator = z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'VersionIn'])
export type Operator = z.infer<typeof Operator>

/** Most values of an expression. */
const MAX_VALUES = 256

const value = LabelValue.min(1, 'must not be empty')

const MatchLabels = byLabelKey(
  z.union([value, z.array(value).min(1, 'must name a value').max(256)]),
).meta({
  description: 'Every key must match; a list means any of its values',
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
 * Which devices a release is meant for. Nothing in it means every device.
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
  .meta({ description: 'Which devices a release is meant for; nothing means every device' })
export type Targets = z.infer<typeof Targets>

/** Targets that every device meets. */
export const EVERY_DEVICE: Targets = { matchLabels: {}, matchExpressions: [] }
