import fc from 'fast-check'

export type Schema = Readonly<Record<string, unknown>>

/** Usual values for members and parameters by name, so that requests refer to existing data. */
export type Pools = Readonly<Record<string, readonly unknown[]>>

const LONGEST_TEXT = 24
const MOST_ITEMS = 5
/** How many values come from a pool for each one that is generated from the schema. */
const POOLED = 15

/** Generates values of the JSON Schemas of one OpenAPI document. Supports the keywords that it uses. */
export class SchemaValues {
  readonly #document: Schema
  readonly #pools: Pools

  constructor(document: Schema, pools: Pools) {
    this.#document = document
    this.#pools = pools
  }

  /** Returns values of a schema. A member that has a pool mostly gets its values from there. */
  of(schema: Schema, name = ''): fc.Arbitrary<unknown> {
    const pool = Object.hasOwn(this.#pools, name) ? this.#pools[name] : undefined
    const plain = this.#plain(schema)
    if (pool === undefined) return plain
    return fc.oneof({ weight: POOLED, arbitrary: fc.constantFrom(...pool) }, plain)
  }

  #plain(schema: Schema): fc.Arbitrary<unknown> {
    const { $ref, enum: values, examples } = schema
    if (typeof $ref === 'string') return this.#plain(this.#resolve($ref))
    if ('const' in schema) return fc.constant(schema.const)
    if (Array.isArray(values)) return fc.constantFrom(...values)
    const { anyOf, oneOf, ...common } = schema
    const choices = anyOf ?? oneOf
    if (isSchemas(choices)) {
      return fc.oneof(...choices.map((choice) => this.#plain(merged(common, choice))))
    }
    const typed = this.#typed(schema)
    return isValues(examples) ? fc.oneof(typed, fc.constantFrom(...examples)) : typed
  }

  #typed(schema: Schema): fc.Arbitrary<unknown> {
    switch (schema.type) {
      case 'string':
        return textOf(schema)
      case 'integer':
        return fc.integer(boundsOf(schema))
      case 'number':
        return fc.double({ ...boundsOf(schema), noNaN: true })
      case 'boolean':
        return fc.boolean()
      case 'null':
        return fc.constant(null)
      case 'array':
        return this.#array(schema)
      case 'object':
        return this.#object(schema)
      default:
        return fc.jsonValue({ maxDepth: 2 })
    }
  }

  #array({ items, minItems, maxItems }: Schema): fc.Arbitrary<unknown> {
    const least = numberOr(minItems, 0)
    const most = Math.max(least, Math.min(numberOr(maxItems, MOST_ITEMS), MOST_ITEMS))
    const item = this.#plain(isSchema(items) ? items : {})
    return fc.array(item, { minLength: least, maxLength: most })
  }

  #object(schema: Schema): fc.Arbitrary<unknown> {
    const { properties, required, additionalProperties, propertyNames } = schema
    const members = Object.entries(isSchema(properties) ? properties : {})
    const needed = Array.isArray(required) ? required : []
    const model = Object.fromEntries(
      members.map(([name, member]) => [name, this.of(isSchema(member) ? member : {}, name)]),
    )
    const known = fc.record(model, { requiredKeys: needed, noNullPrototype: true })
    if (!isSchema(additionalProperties) || members.length > 0) return known
    const names = this.of(isSchema(propertyNames) ? propertyNames : { type: 'string' }, 'labelKey')
    const values = this.#plain(additionalProperties)
    return fc
      .array(fc.tuple(names.map(String), values), { maxLength: MOST_ITEMS })
      .map((entries) => Object.fromEntries(entries))
  }

  #resolve(reference: string): Schema {
    let found: unknown = this.#document
    for (const part of reference.replace(/^#\//, '').split('/')) {
      found = isSchema(found) ? found[part] : undefined
    }
    if (!isSchema(found)) throw new Error(`The document has no ${reference}`)
    return found
  }
}

/** Returns whether a value is an object, like schemas and their maps. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Merges two schemas. If they conflict, the second one wins. */
function merged(first: Schema, second: Schema): Schema {
  const both = Object.entries(second).map(([name, value]) => {
    const own = first[name]
    if (isSchema(own) && isSchema(value)) return [name, merged(own, value)]
    if (name !== 'required' || !isValues(own) || !isValues(value)) return [name, value]
    return [name, [...new Set([...own, ...value])]]
  })
  return { ...first, ...Object.fromEntries(both) }
}

function isSchemas(value: unknown): value is readonly Schema[] {
  return Array.isArray(value) && value.length > 0 && value.every(isSchema)
}

function isValues(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

/** By the schema: to make those of a pattern takes longer than to send a request. */
const texts = new Map<string, fc.Arbitrary<string>>()

function textOf({ pattern, format, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  const bounds = { pattern, format, minLength, maxLength }
  const key = JSON.stringify(bounds)
  const text = texts.get(key) ?? newTextOf(bounds)
  texts.set(key, text)
  return text
}

function newTextOf({ pattern, format, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'uri') return fc.webUrl({ validSchemes: ['http', 'https'] })
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((at) => at.toISOString())
  const least = numberOr(minLength, 0)
  if (typeof pattern === 'string') {
    const longest = numberOr(maxLength, Infinity)
    return fc
      .stringMatching(new RegExp(pattern), { size: 'small' })
      .filter(({ length }) => length >= least && length <= longest)
  }
  const most = Math.max(least, Math.min(numberOr(maxLength, LONGEST_TEXT), LONGEST_TEXT))
  return fc.string({ unit: 'grapheme', minLength: least, maxLength: most })
}

function boundsOf({ minimum, maximum }: Schema): { min: number; max: number } {
  const min = Math.max(numberOr(minimum, -(2 ** 31)), -(2 ** 31))
  const max = Math.min(numberOr(maximum, 2 ** 31 - 1), 2 ** 31 - 1)
  return { min, max }
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
