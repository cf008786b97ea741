import type { RequestHandler } from 'express'
import type { z } from 'zod'
import {
  DecisionsAnswer,
  DecisionsBody,
  ReportAnswer,
  ReportBody,
} from '../../../shared/devices/fleet.ts'
import { etagOf, isKnown } from '../answer/reply.ts'
import { DRAFT_OPERATIONS } from './openapi-drafts.ts'
import { UPDATE_FEED_OPERATIONS } from './openapi-feeds.ts'
import { FILE_OPERATIONS } from './openapi-files.ts'
import {
  type Answer,
  answersOf,
  KEYED,
  type Operation,
  operations,
  TAGS,
} from './openapi-operation.ts'
import { IDEMPOTENCY_KEY, membersOf, type Parameter, pathSchema } from './openapi-parameters.ts'
import { PLAN_OPERATIONS } from './openapi-plans.ts'
import { DEVICE_OPERATIONS, SERVER_OPERATIONS } from './openapi-public.ts'
import { CHANNEL_OPERATIONS, RELEASE_OPERATIONS } from './openapi-releases.ts'
import { SchemaComponents } from './openapi-schemas.ts'

const DEVICE = {
  deviceId: '0b0e9a9e-5b61-4d0e-8f5e-1f8a6c2d9b37',
  version: '1.3.2',
  platform: 'windows',
  arch: 'x86_64',
} as const

/** Operations on many devices. */
const FLEET_OPERATIONS = operations('Fleet', 'fleet', KEYED, {
  planWave: {
    on: 'post /api/v1/fleet/decisions',
    summary: 'Plan an update wave for up to 500 devices',
    description:
      'Returns for each device what its own update check would return. Unless it is a dry run, devices, labels and check-ins are stored before the response is sent.',
    body: DecisionsBody,
    examples: {
      dryRun: { app: 'editor', channel: 'stable', dryRun: true, devices: [DEVICE] },
      labels: { app: 'editor', devices: [{ ...DEVICE, labels: { ring: 'beta' } }] },
    },
    answers: {
      200: [DecisionsAnswer, 'One decision per device, in the order of the request'],
    },
  },
  reportState: {
    on: 'post /api/v1/fleet/report',
    summary: 'Report the state of up to 500 devices',
    description:
      'Records a check-in for each device. Platform, arch and labels that an item leaves out do not change.',
    body: ReportBody,
    examples: {
      versions: { app: 'editor', devices: [{ deviceId: 'kiosk-17', version: '1.4.0' }] },
      labels: { app: 'editor', devices: [{ ...DEVICE, labels: { site: 'berlin', ring: '' } }] },
    },
    answers: { 200: [ReportAnswer, 'The check-ins are stored'] },
  },
})

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
    ...(scope === null || operation.method === 'get' ? [] : [IDEMPOTENCY_KEY]),
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

/** `GET /api/v1/openapi.json`: the same bytes for everyone, made for the first who asks. */
export function apiDocument(version: string): RequestHandler {
  let made: { readonly body: Buffer; readonly etag: string } | undefined
  const make = () => {
    const body = Buffer.from(JSON.stringify(openApiDocument(version)))
    return { body, etag: etagOf(body) }
  }
  return (request, response) => {
    made ??= make()
    const { body, etag } = made
    response.set({ 'Cache-Control': 'no-cache', ETag: etag })
    if (isKnown(etag, request.headers['if-none-match'])) response.status(304).end()
    else response.type('json').send(body)
  }
}
