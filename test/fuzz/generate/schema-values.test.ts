import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../../src/server/http/openapi/openapi.ts'
import { ApiDescription } from '../../support/servers/api-description.ts'
import { bodySchema } from './api-requests.ts'
import { isSchema, SchemaValues } from './schema-values.ts'

const document = openApiDocument('0.0.0')
const description = new ApiDescription(document)
const paths = isSchema(document.paths) ? document.paths : {}
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(isSchema(methods) ? methods : {}).flatMap(([method, operation]) => {
    const schema = isSchema(operation) ? bodySchema(operation) : undefined
    return schema === undefined ? [] : [{ path, method, schema }]
  }),
)

test.each(operations)('bodies of $method $path fit their schema', ({ path, method, schema }) => {
  const values = new SchemaValues(document, {})
  fc.assert(
    fc.property(values.of(schema), (body) => {
      expect(description.takes({ path, method }, body)).toBe(true)
    }),
  )
})

test('every operation that takes a body is among them', () => {
  expect(operations.map(({ path, method }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining(['post /api/v1/releases', 'post /api/v1/fleet/report']),
  )
})
