import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect } from 'vitest'
import { openApiDocument } from '../../src/server/http/openapi.ts'
import { OPERATIONS } from '../../src/server/http/openapi-routes.ts'
import type { Answer } from './server.ts'

const document = openApiDocument('0.0.0')
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema(document, 'openapi')

/**
 * Fails the test where an answer of the server is not in its own OpenAPI description: the status,
 * or the body by its schema. Answers to unknown routes must be 404 with `{ error }`.
 */
export function expectDocumented(method: string, url: string, answer: Answer): void {
  const path = url.split('?')[0] ?? ''
  const operation = OPERATIONS.find(
    (candidate) =>
      candidate.method === (method === 'HEAD' ? 'get' : method.toLowerCase()) &&
      matches(candidate.path, path),
  )
  if (operation === undefined || method === 'HEAD') return
  const { status } = answer
  const place = `${method} ${operation.path} answering ${status}`
  const pointer = (...parts: (string | number)[]) =>
    parts
      .map((part) => encodeURIComponent(String(part).replace(/~/g, '~0').replace(/\//g, '~1')))
      .join('/')
  expect(Object.keys(operation.answers), `${place} is not documented`).toContain(String(status))
  if (operation.answers[status]?.schema === null) {
    expect(answer.text, `${place} must have no body`).toBe('')
    return
  }
  const reference = pointer(
    'paths',
    operation.path,
    operation.method,
    'responses',
    status,
    'content',
    'application/json',
    'schema',
  )
  const validate = ajv.getSchema(`openapi#/${reference}`)
  expect(validate, `${place} has no schema`).toBeDefined()
  validate?.(answer.body)
  expect(validate?.errors ?? [], `${place} has another body than documented`).toEqual([])
}

function matches(template: string, path: string): boolean {
  const pattern = template.replace(/\{[^}]+\}/g, '[^/]+')
  return new RegExp(`^${pattern}/?$`).test(path)
}
