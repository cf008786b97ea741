import { type Request, Router } from 'express'
import { FeedQuery } from '../../../shared/release.ts'
import { requireApp, requireChannel } from '../../catalog/catalog.ts'
import { parseInput } from '../answer/errors.ts'
import { isKnown } from '../answer/etag.ts'
import { sendParts } from '../answer/send-parts.ts'
import type { ApiContext } from '../context.ts'
import { limitAddress } from '../request/rate-limit.ts'
import { EncodedBodies, type Encoding } from './encoded-bodies.ts'
import { type FeedPage, feedPage } from './feed-page.ts'

/** Seconds that a cache may keep a feed. */
const MAX_AGE = 60

/** `GET /feed/{appRef}/{channel}`: published releases for changelog screens, newest first, in pages. */
export function feedRoutes(context: ApiContext): Router {
  const { catalog, contact } = context
  const limited = limitAddress(context)
  const bodies = new EncodedBodies()
  const router = Router()

  router.use((_request, response, next) => {
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, Link',
    })
    next()
  })

  router.options('/:appRef/:channel', limited, (_request, response) => {
    response.set({
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': '*',
      'Access-Control-Max-Age': '86400',
    })
    response.status(204).end()
  })

  router.get('/:appRef/:channel', limited, async (request, response) => {
    const { appRef, channel } = request.params
    const span = parseInput(FeedQuery, request.query)
    contact.require()
    const snapshot = await catalog.refresh()
    const page = await feedPage(requireChannel(requireApp(snapshot, appRef), channel), span)
    const preferred = encodingFor(request)
    const cached = { 'Cache-Control': `public, max-age=${MAX_AGE}`, Vary: 'Accept-Encoding' }
    if (isKnown(etagOf(page, preferred), request.headers['if-none-match'])) {
      response.set({ ...cached, ETag: etagOf(page, preferred) })
      response.status(304).end()
      return
    }
    const body = await bodies.get(page.digest, preferred, page.parts)
    contact.require()
    const encoding = body === undefined ? 'identity' : preferred
    response.set({ ...cached, ETag: etagOf(page, encoding) })
    if (encoding !== 'identity') response.set('Content-Encoding', encoding)
    if (page.next !== null) response.links({ next: nextPage(span.limit, page.next) })
    await sendParts(response, body === undefined ? page.parts : [body])
  })

  return router
}

/** The content coding that the caller prefers. */
function encodingFor(request: Request): Encoding {
  const accepted = request.acceptsEncodings(['gzip', 'br', 'identity'])
  return accepted === 'gzip' || accepted === 'br' ? accepted : 'identity'
}

/** Each encoding of a page is a separate representation, so it has its own ETag. */
function etagOf({ digest }: FeedPage, encoding: Encoding): string {
  return encoding === 'identity' ? `"${digest}"` : `"${digest}-${encoding}"`
}

/** Relative to the request URL, whatever path proxies add before it. */
function nextPage(limit: number, before: string): string {
  return `?${new URLSearchParams({ limit: String(limit), before })}`
}
