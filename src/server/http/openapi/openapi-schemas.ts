import { z } from 'zod'

type JsonObject = Record<string, unknown>

/**
 * Turns zod schemas into OpenAPI schemas. Those with an id become components that are referred to;
 * what a request may leave out but an answer always has makes two components of one schema, so
 * the ones of requests end in `Input`.
 */
export class SchemaComponents {
  readonly components: Record<string, JsonObject> = {}

  /** Returns the schema of a request body. Defaults go into descriptions: generators would make callers provide such members. */
  body(schema: z.ZodType): JsonObject {
    return this.#convert(schema, 'input', 'Input', describeDefault)
  }

  /** Returns the schema of a parameter. */
  parameter(schema: z.ZodType): JsonObject {
    return this.#convert(schema, 'input', 'Input')
  }

  answer(schema: z.ZodType): JsonObject {
    return this.#convert(schema, 'output', '')
  }

  #convert(
    schema: z.ZodType,
    io: 'input' | 'output',
    suffix: string,
    finish: (schema: JsonObject) => void = () => {},
  ): JsonObject {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => finish(jsonSchema as JsonObject),
    })
    const { $schema: _dialect, $defs = {}, ...rest } = renameRefs(converted, suffix)
    for (const [name, component] of Object.entries($defs as Record<string, JsonObject>)) {
      const { id: _id, ...body } = component
      this.components[name + suffix] = body
    }
    return rest
  }
}

/** Moves the default of a schema into its description. */
function describeDefault(schema: JsonObject): void {
  if (!('default' in schema)) return
  const { default: value, description } = schema
  delete schema.default
  const words = `Default: \`${JSON.stringify(value)}\``
  schema.description = typeof description === 'string' ? `${description}. ${words}` : words
}

function renameRefs(schema: unknown, suffix: string): JsonObject {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value
    return `${value.replace('#/$defs/', '#/components/schemas/')}${suffix}`
  })
  return JSON.parse(text)
}
