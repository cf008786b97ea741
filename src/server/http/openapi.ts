import { type Answer, OPERATIONS, type Operation, type Parameter } from './openapi-routes.ts'
import { SchemaComponents } from './openapi-schemas.ts'

type JsonObject = Record<string, unknown>

/** The OpenAPI 3.1 description of the public API, made from the schemas that validate it. */
export function openApiDocument(version: string): JsonObject {
  const schemas = new SchemaComponents()
  const paths: Record<string, JsonObject> = {}
  for (const operation of OPERATIONS) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describe(operation, schemas),
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Tidegate',
      version,
      description: 'Publishes releases per app and channel and answers update checks.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    paths,
    components: {
      schemas: schemas.components,
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function describe(operation: Operation, schemas: SchemaComponents): JsonObject {
  const { id, summary, scope, parameters = [], body, answers } = operation
  const described = Object.entries(answers).map(([status, answer]) => [
    status,
    describeAnswer(answer, schemas),
  ])
  return {
    operationId: id,
    summary,
    ...(scope === null
      ? { security: [] }
      : { security: [{ key: [] }], description: `Needs a key with the scope \`${scope}\`.` }),
    ...(parameters.length === 0
      ? {}
      : { parameters: parameters.map((parameter) => describeParameter(parameter, schemas)) }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonContent(schemas.request(body)) } }),
    responses: Object.fromEntries(described),
  }
}

function describeParameter(parameter: Parameter, schemas: SchemaComponents): JsonObject {
  const { name, schema, description } = parameter
  return {
    name,
    in: parameter.in,
    required: parameter.in === 'path',
    ...(description === undefined ? {} : { description }),
    schema: schemas.request(schema),
  }
}

function describeAnswer(answer: Answer, schemas: SchemaComponents): JsonObject {
  const { description, schema, headers = {} } = answer
  const described = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) }),
    ...(schema === null ? {} : { content: jsonContent(schemas.answer(schema)) }),
  }
}

function jsonContent(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } }
}
