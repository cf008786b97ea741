import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { hostileText } from './hostile-values.ts'
import { bodiesOf } from './mutated-json.ts'
import { bytesOf, type FuzzRequest } from './request.ts'
import { isSchema, type Pools, type Schema, SchemaValues } from './schema-values.ts'

/** Input of the generator besides the OpenAPI document. */
export interface Names {
  /** Values by the name of a member or parameter. */
  readonly pools: Pools
  /** Keys by scope; null sends none. */
  readonly keys: readonly (string | null)[]
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Schema
}

/** Generates valid and mutated requests for every operation of an OpenAPI document. */
export function apiRequests(document: Schema, names: Names): fc.Arbitrary<FuzzRequest> {
  const values = new SchemaValues(document, names.pools)
  const paths = isSchema(document.paths) ? document.paths : {}
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(isSchema(methods) ? methods : {}).flatMap(([method, operation]) =>
      isSchema(operation)
        ? [
            {
              // Most rules are about releases, and meet nothing without some.
              weight: method === 'post' && path === '/api/v1/releases' ? 8 : 1,
              arbitrary: requestsOf(values, names, path, method, operation),
            },
          ]
        : [],
    ),
  )
  if (operations.length === 0) throw new Error('The document has no operations')
  return fc.oneof(...operations)
}

function requestsOf(
  values: SchemaValues,
  { keys, pools }: Names,
  path: string,
  method: string,
  operation: Schema,
): fc.Arbitrary<FuzzRequest> {
  const parameters = readParameters(operation)
  const inPath = Object.fromEntries(
    parameters
      .filter(({ in: place }) => place === 'path')
      .map(({ name, schema }) => [name, partOf(values.of(schema, name))]),
  )
  const inQuery = parameters.filter(({ in: place }) => place === 'query')
  const inHeader = parameters.filter(({ in: place }) => place === 'header')
  return fc
    .record({
      sent: sentMethods(method),
      parts: fc.record(inPath),
      query: fc.array(fc.oneof(...queryPairs(values, inQuery, pools)), { maxLength: 4 }),
      headers: fc.tuple(...inHeader.map((header) => headerOf(values, header))),
      key: fc.constantFrom(...keys),
      body: bodyOf(values, operation),
    })
    .map(({ sent, parts, query, headers, key, body }) => ({
      method: sent,
      target: path.replace(/\{([^}]+)\}/g, (_, name) => parts[name] ?? '') + queryText(query),
      headers: [
        ...headers.flat(),
        ...(key === null ? [] : [['Authorization', `Bearer ${key}`] as const]),
        ...body.headers,
      ],
      body: body.bytes,
    }))
}

function readParameters({ parameters }: Schema): Parameter[] {
  if (!Array.isArray(parameters)) return []
  return parameters.filter(isSchema).map(({ name, in: place, schema }) => ({
    name: String(name),
    in: String(place),
    schema: isSchema(schema) ? schema : {},
  }))
}

function sentMethods(method: string): fc.Arbitrary<string> {
  const own = method.toUpperCase()
  const others = fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'DELETE', 'POST', 'GET', 'PATCH')
  const near = own === 'GET' ? fc.constant('HEAD') : others
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant(own) },
    { weight: 1, arbitrary: near },
    { weight: 1, arbitrary: others },
  )
}

/** A segment of a path: percent-encoded, sometimes with one raw or broken byte. */
function partOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const encoded = value.map((it) => encode(String(it)))
  return fc.oneof(
    { weight: 12, arbitrary: encoded },
    { weight: 1, arbitrary: hostileText.map(encode) },
    { weight: 1, arbitrary: encoded.map((text) => `${text}%`) },
    { weight: 1, arbitrary: encoded.map((text) => `${text}%ff%2F`) },
  )
}

function queryPairs(
  values: SchemaValues,
  parameters: readonly Parameter[],
  pools: Pools,
): fc.Arbitrary<string>[] {
  const labels = pools.labelKey ?? ['ring']
  return [
    ...parameters.map(({ name, schema }) =>
      fc
        .oneof({ weight: 4, arbitrary: values.of(schema, name) }, hostileText)
        .map((value) => `${encode(name)}=${encode(String(value))}`),
    ),
    fc
      .tuple(
        fc.constantFrom(...labels),
        fc.oneof(fc.constantFrom('beta', 'early', ''), hostileText),
      )
      .map(([key, value]) => `l.${encode(String(key))}=${encode(value)}`),
    hostileText.map((name) => `${encode(name)}=1`),
    fc.constantFrom('', '=', '&&', 'l.=x', 'l.ring', '%zz=%', 'page=1&page=2', 'l.ring=a&l.ring=b'),
  ]
}

function headerOf(
  values: SchemaValues,
  { name, schema }: Parameter,
): fc.Arbitrary<readonly (readonly [string, string])[]> {
  const text = fc.oneof({ weight: 6, arbitrary: values.of(schema, name).map(String) }, hostileText)
  // Headers cannot contain control characters. The raw sockets send those.
  const value = text.map((it) =>
    bytesOf(it)
      .replace(/[^\x20-\x7e\x80-\xff]/g, '')
      .trim(),
  )
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 8, arbitrary: value.map((it) => [[name, it] as const]) },
    {
      weight: 1,
      arbitrary: fc.tuple(value, value).map((both) => both.map((it) => [name, it] as const)),
    },
  )
}

interface SentBody {
  readonly bytes: string | null
  readonly headers: readonly (readonly [string, string])[]
}

function bodyOf(values: SchemaValues, operation: Schema): fc.Arbitrary<SentBody> {
  const schema = bodySchema(operation)
  if (schema === undefined) {
    const none = fc.constant({ bytes: null, headers: [] })
    const some = hostileText.map((text) => ({ bytes: bytesOf(text), headers: [] }))
    return fc.oneof({ weight: 12, arbitrary: none }, { weight: 1, arbitrary: some })
  }
  return fc
    .tuple(bodiesOf(values.of(schema)), fc.nat({ max: 39 }))
    .map(([bytes, way]) => wayOfSending(bytes, way))
}

/** Returns the schema of the JSON body of an operation, undefined if it has none. */
export function bodySchema({ requestBody }: Schema): Schema | undefined {
  const content = isSchema(requestBody) ? requestBody.content : undefined
  const json = isSchema(content) ? content['application/json'] : undefined
  const schema = isSchema(json) ? json.schema : undefined
  return isSchema(schema) ? schema : undefined
}

function wayOfSending(bytes: string, way: number): SentBody {
  const json = ['Content-Type', 'application/json'] as const
  const as = (...headers: SentBody['headers']) => ({ bytes, headers })
  const packed = gzipSync(Buffer.from(bytes, 'latin1')).toString('latin1')
  const gzip = [json, ['Content-Encoding', 'gzip']] as const
  switch (way) {
    case 0:
      return { bytes: packed, headers: gzip }
    case 1:
      return { bytes: packed.slice(0, -6), headers: gzip }
    case 2:
      return as(...gzip)
    case 3:
      return as(json, ['Content-Encoding', 'compress'])
    case 4:
      return as(['Content-Type', 'application/json; charset=utf-16'])
    case 5:
      return as(['Content-Type', 'application/x-www-form-urlencoded'])
    case 6:
      return as()
    case 7:
      return { bytes: null, headers: [json] }
    default:
      return as(json)
  }
}

function queryText(pairs: readonly string[]): string {
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Percent-encodes a text, a lone surrogate as the bytes that it would have. */
function encode(text: string): string {
  return [...text]
    .map((character) =>
      /^[\ud800-\udfff]$/.test(character) ? '%ED%A0%80' : encodeURIComponent(character),
    )
    .join('')
}
