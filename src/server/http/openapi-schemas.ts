import { z } from 'zod'

type JsonObject = Record<string, unknown>

/**
 * Turns zod schemas into OpenAPI schemas. Those with an id become components that are referred to;
 * what a request may leave out but an answer always has makes two components of one schema, so
 * the ones of requests end in `Input`.
 */
export class SchemaComponents {
  readonly components: Record<string, JsonObject> = {}

  request(schema: z.ZodType): JsonObject {
    return this.#convert(schema, 'input', 'Input')
  }

  answer(schema: z.ZodType): JsonObject {
    return this.#convert(schema, 'output', '')
  }

  #convert(schema: z.ZodType, io: 'input' | 'output', suffix: string): JsonObject {
    const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    const { $schema: _dialect, $defs = {}, ...rest } = renameRefs(converted, suffix)
    for (const [name, component] of Object.entries($defs as Record<string, JsonObject>)) {
      const { id: _id, ...body } = component
      this.components[name + suffix] = body
    }
    return rest
  }
}

function renameRefs(schema: unknown, suffix: string): JsonObject {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value
    return `${value.replace('#/$defs/', '#/components/schemas/')}${suffix}`
  })
  return JSON.parse(text)
}
