import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Express } from 'express'
import { expect, test } from 'vitest'
import { createApp } from '../../../../src/server/http/app.ts'
import { OPERATIONS } from '../../../../src/server/http/openapi/openapi.ts'
import { createDeviceChecks } from '../../../../src/server/http/update-feeds/device-checks.ts'
import { VERSION } from '../../../../src/server/runtime/version.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { apiContextOf } from '../../../support/servers/api-context.ts'
import { publish } from '../../../support/servers/calls.ts'
import { startServer, startWithApp, type TestServer } from '../../../support/servers/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Json = any

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

async function documentOf(server: TestServer): Promise<Json> {
  return (await server.call('GET', '/api/v1/openapi.json', { key: null })).body
}

/** Every object in a JSON document. */
function* objectsIn(value: Json): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value
  for (const member of Object.values(value)) yield* objectsIn(member)
}

/** The Express app of a running server, made once more. */
function appOf(server: TestServer): Express {
  const context = apiContextOf(server)
  return createApp(context, createDeviceChecks(context))
}

const MOUNTS = [
  '/feed',
  '/api/v1/releases',
  '/api/v1/drafts',
  '/api/v1/channels',
  '/api/v1/files',
  '/api/v1/uploads',
  '/files',
]

interface Layer {
  readonly route?: {
    readonly path: string | RegExp
    readonly methods: Readonly<Record<string, boolean>>
  }
  readonly handle: { readonly stack?: readonly Layer[] }
  match(path: string): boolean
}

/** `get /feed/:appRef/:channel`: every route that an Express app answers. */
function routesOf(app: Express): string[] {
  const found: string[] = []
  for (const layer of app.router.stack as unknown as readonly Layer[]) {
    if (layer.route !== undefined) found.push(...named('', layer))
    // Where a router is mounted is in its layer alone, as a matcher: try the places that it may be.
    const mount = MOUNTS.find((path) => layer.match(path))
    for (const inner of layer.handle.stack ?? []) found.push(...named(mount ?? '?', inner))
  }
  return found
}

function named(mount: string, { route }: Layer): string[] {
  if (route === undefined) return []
  const path = `${mount}${route.path}`.replace(/(.)\/$/, '$1')
  return Object.keys(route.methods).map((method) => `${method} ${path}`)
}

test('the description is served without a key and names the version of the program', async () => {
  const server = await startServer()
  const { status, headers, body } = await server.call('GET', '/api/v1/openapi.json', { key: null })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(body.openapi).toMatch(/^3\.1\.\d+$/)
  expect(body.info).toMatchObject({ title: 'Tidegate', version: VERSION })
})

test('the description has the shape of OpenAPI 3.1', async () => {
  const document = await documentOf(await startServer())
  expect(new Set(Object.keys(document))).toEqual(
    new Set(['openapi', 'info', 'servers', 'tags', 'paths', 'components']),
  )
  const operationIds: string[] = []
  for (const [path, item] of Object.entries<Json>(document.paths)) {
    expect(path).toMatch(/^\//)
    for (const [method, operation] of Object.entries<Json>(item)) {
      expect(METHODS).toContain(method)
      operationIds.push(operation.operationId)
      expect(operation.summary).toBeTypeOf('string')
      const parameters: Json[] = operation.parameters ?? []
      for (const parameter of parameters) {
        expect(['path', 'query', 'header']).toContain(parameter.in)
        expect(parameter.required).toBe(parameter.in === 'path')
        expect(parameter.schema).toBeTypeOf('object')
      }
      const inPath = parameters.filter((parameter) => parameter.in === 'path')
      const templated = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(inPath.map(({ name }) => name)).toEqual(templated)
      const answers = Object.entries<Json>(operation.responses)
      expect(answers.length).toBeGreaterThan(0)
      for (const [status, answer] of answers) {
        expect(status).toMatch(/^[1-5]\d\d$/)
        expect(answer.description).toBeTypeOf('string')
        for (const header of Object.values<Json>(answer.headers ?? {})) {
          expect(header.schema).toEqual({ type: 'string' })
        }
      }
    }
  }
  expect(new Set(operationIds).size).toBe(operationIds.length)
  expect(document.components.securitySchemes.key).toMatchObject({ type: 'http', scheme: 'bearer' })
})

test('each schema of the description is a JSON Schema, and its examples are valid', async () => {
  const document = await documentOf(await startServer())
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const pointers = new Set<string>()
  for (const object of objectsIn(document)) {
    if (typeof object.$ref === 'string') pointers.add(object.$ref)
    if (object.examples === undefined) continue
    // Of a schema they are a list; of a body they have names.
    const named = !Array.isArray(object.examples)
    const schema = named ? object.schema : object
    const examples = named
      ? Object.values<Json>(object.examples).map(({ value }) => value)
      : object.examples
    const validate = ajv.compile({ ...schema, components: document.components })
    for (const example of examples) {
      expect(validate(example), JSON.stringify({ example, errors: validate.errors })).toBe(true)
    }
  }
  const names = Object.keys(document.components.schemas)
  expect(pointers).toEqual(new Set(names.map((name) => `#/components/schemas/${name}`)))
  for (const pointer of pointers) expect(ajv.getSchema(`openapi${pointer}`)).toBeDefined()
})

test('the described operations are exactly the routes of the server', async () => {
  const server = await startWithApp()
  const described = OPERATIONS.map(
    ({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
  )
  const document = await documentOf(server)
  const inDocument = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(inDocument.sort()).toEqual([...described].sort())

  // The page at the root is for people, and files are no JSON.
  const OTHER = ['get /', 'get /files/:id/:name', 'post /sentry/:appRef/api/:project/envelope']
  const undescribed = (route: string) => route.startsWith('options ') || OTHER.includes(route)
  const routes = routesOf(appOf(server)).filter((route) => !undescribed(route))
  // Checks have a handler without a pattern, which reads the whole path: the next test calls it.
  const patterns = described.filter(
    (route) => !/^get \/(u|electron|squirrel|sparkle|velopack)\//.test(route),
  )
  expect(routes.sort()).toEqual(patterns.sort())
})

test('each described operation answers, and requires the described key and scope', async () => {
  const server = await startWithApp()
  const [exe, nupkg] = ['Editor.exe', 'Editor-1.0.0-full.nupkg'].map((name) => ({
    ...artifact({ platform: 'windows', url: `https://downloads.example/${name}` }),
    signature: `${'ab'.repeat(20)} ${name} 7`,
  }))
  await publish(server, '1.0.0', { artifacts: [{ ...exe, arch: 'x64' }, nupkg] })
  const bodies: Readonly<Record<string, object>> = {
    reportOutcome: { version: '1.0.0', outcome: 'ok' },
  }
  for (const { id, method, path, scope } of OPERATIONS) {
    const values: Readonly<Record<string, string>> = {
      app: 'editor',
      appRef: 'editor',
      sha512: 'ab'.repeat(64),
      version: '1.0.0',
      name: 'latest.yml',
      platform: id === 'squirrelUpdate' ? 'darwin' : 'windows',
      arch: 'arm64',
      file: 'releases.win.json',
    }
    const place = path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? 'stable')
    const body = method === 'get' ? undefined : (bodies[id] ?? {})
    const headers = { 'x-service-device': 'one' }
    const call = (key: string | null) =>
      server.call(method.toUpperCase(), place, { key, body, headers })
    const anonymous = await call(null)
    if (scope === null) {
      expect(anonymous.status).toBeLessThan(300)
      continue
    }
    expect(anonymous.status).toBe(401)
    expect((await call(await server.mint({ scopes: [] }))).body.error).toContain(`"${scope}"`)
    expect([200, 400, 404]).toContain((await call(server.key)).status)
  }
})

test('the description names the scope of each operation, and examples of each body', async () => {
  const document = await documentOf(await startServer())
  for (const { method, path, scope, body, examples = {} } of OPERATIONS) {
    const operation = document.paths[path][method]
    expect(operation.security).toEqual(scope === null ? [] : [{ key: [scope] }])
    const media = operation.requestBody?.content['application/json']
    expect(Object.keys(media?.examples ?? {})).toEqual(Object.keys(examples))
    expect(Object.keys(examples).length > 0).toBe(body !== undefined)
    for (const example of Object.values(examples)) {
      expect(body?.safeParse(example).error?.message).toBeUndefined()
    }
  }
})
