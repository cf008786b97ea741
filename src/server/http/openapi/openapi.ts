import type { z } from 'zod'
import { CHANNEL_OPERATIONS } from './openapi-channels.ts'
import { DRAFT_OPERATIONS } from './openapi-drafts.ts'
import { UPDATE_FEED_OPERATIONS } from './openapi-feeds.ts'
import { FILE_OPERATIONS } from './openapi-files.ts'
import { FLEET_OPERATIONS } from './openapi-fleet.ts'
import { type Answer, answersOf, type Operation, TAGS } from './openapi-operation.ts'
import { membersOf, type Parameter, pathSchema } from './openapi-parameters.ts'
import { PLAN_OPERATIONS } from './openapi-plans.ts'
import { DEVICE_OPERATIONS, SERVER_OPERATIONS } from './openapi-public.ts'
import { RELEASE_OPERATIONS } from './openapi-releases.ts'
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
    servers: [{ url: '/', description: 'This server' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.components,
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, `tg_…`. Each operation names the scope that the key needs.',
        },
      },
    },
  }
}

function describe(operation: Operation, schemas: SchemaComponents): JsonObject {
  const { id, path, tag, summary, description, scope, query, body } = operation
  const described = answersOf(operation).map(([status, answer]) => [
    status,
    describeAnswer(answer, schemas),
  ])
  const parameters = [
    ...membersOf(pathSchema(path), 'path'),
    ...(query === undefined ? [] : membersOf(query, 'query')),
    ...(operation.parameters ?? []),
  ]
  return {
    operationId: id,
    tags: [tag],
    summary,
    description:
      scope === null ? description : `${description} Needs a key with the scope \`${scope}\`.`,
    security: scope === null ? [] : [{ key: [scope] }],
    ...(parameters.length === 0
      ? {}
      : { parameters: parameters.map((parameter) => describeParameter(parameter, schemas)) }),
    ...(body === undefined ? {} : { requestBody: describeBody(operation, body, schemas) }),
    responses: Object.fromEntries(described),
  }
}

function describeBody(
  { examples = {}, bodyIsOptional }: Operation,
  body: z.ZodType,
  schemas: SchemaComponents,
): JsonObject {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }])
  const content = { schema: schemas.body(body), examples: Object.fromEntries(named) }
  return { required: bodyIsOptional !== true, content: { 'application/json': content } }
}

function describeParameter(parameter: Parameter, schemas: SchemaComponents): JsonObject {
  const { name, schema, description, explode } = parameter
  return {
    name,
    in: parameter.in,
    required: parameter.in === 'path',
    ...(description === undefined ? {} : { description }),
    ...(explode === undefined ? {} : { style: 'form', explode }),
    schema: schemas.parameter(schema),
  }
}

function describeAnswer(
  [schema, description, headers = {}, mediaType = 'application/json']: Answer,
  schemas: SchemaComponents,
): JsonObject {
  const described = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(described.length === 0 ? {} : { headers: Object.fromEntries(described) }),
    ...(schema === null ? {} : { content: { [mediaType]: { schema: schemas.answer(schema) } } }),
  }
}

/** Every operation of the public API. */
export const OPERATIONS: readonly Operation[] = [
  RELEASE_OPERATIONS,
  CHANNEL_OPERATIONS,
  FILE_OPERATIONS,
  PLAN_OPERATIONS,
  DRAFT_OPERATIONS,
  FLEET_OPERATIONS,
  DEVICE_OPERATIONS,
  SERVER_OPERATIONS,
  UPDATE_FEED_OPERATIONS,
].flatMap((group) => Object.values<Operation>(group))
