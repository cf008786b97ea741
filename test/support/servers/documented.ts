import { expect } from 'vitest'
import { openApiDocument } from '../../../src/server/http/openapi/openapi.ts'
import { ApiDescription, type JudgedAnswer } from './api-description.ts'

const description = new ApiDescription(openApiDocument('0.0.0'))

/**
 * Fails the test where an answer of the server is not in its own OpenAPI description: the status,
 * or the body by its schema.
 */
export function expectDocumented(method: string, url: string, answer: JudgedAnswer): void {
  const operation = description.operation(method, url)
  if (operation === undefined) return
  expect(description.issues(operation, answer)).toEqual([])
}
