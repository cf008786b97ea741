import type { RequestHandler } from 'express'
import { etagOf, isKnown } from '../answer/etag.ts'
import { openApiDocument } from './openapi.ts'

/** `GET /api/v1/openapi.json`: the same bytes for everyone, made once. */
export function apiDocument(version: string): RequestHandler {
  const body = Buffer.from(JSON.stringify(openApiDocument(version)))
  const etag = etagOf(body)
  return (request, response) => {
    response.set({ 'Cache-Control': 'no-cache', ETag: etag })
    if (isKnown(etag, request.headers['if-none-match'])) response.status(304).end()
    else response.type('json').send(body)
  }
}
