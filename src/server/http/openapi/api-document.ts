import type { RequestHandler } from 'express'
import { etagOf, isKnown } from '../answer/etag.ts'
import { openApiDocument } from './openapi.ts'

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
