import { hash } from 'node:crypto'
import { Router } from 'express'
import { requireApp, requireChannel } from '../catalog/catalog.ts'
import { newestFirst } from '../catalog/newest.ts'
import { showInFeed } from '../catalog/show-release.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import { callerAddress } from './address.ts'
import type { ApiContext } from './context.ts'
import { HttpError } from './errors.ts'
import { rateLimitHeaders, rateLimitMessage } from './rate-limit.ts'

/** Seconds that a cache may keep a feed. */
const MAX_AGE = 60

interface Feed {
  readonly body: string
  readonly etag: string
}

/** Made once a channel's revision: a revision is one object. */
const feeds = new WeakMap<CatalogChannel, Feed>()

/** `GET /feed/{appRef}/{channel}`: published releases for changelog screens, newest first. */
export function feedRoutes(context: ApiContext): Router {
  const { catalog, limits } = context
  const router = Router()

  router.use((_request, response, next) => {
    response.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' })
    next()
  })

  router.options('/:appRef/:channel', (_request, response) => {
    response.set({
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': '*',
      'Access-Control-Max-Age': '86400',
    })
    response.status(204).end()
  })

  router.get('/:appRef/:channel', async (request, response) => {
    if (limits.device.enabled) {
      const verdict = limits.device.take(callerAddress(request, context))
      if (!verdict.allowed) {
        throw new HttpError(429, rateLimitMessage(verdict), rateLimitHeaders(verdict))
      }
    }
    const { appRef, channel } = request.params
    const snapshot = await catalog.refresh()
    const { body, etag } = feedOf(requireChannel(requireApp(snapshot, appRef), channel))
    response.set({ 'Cache-Control': `public, max-age=${MAX_AGE}`, ETag: etag })
    if (isKnown(etag, request.headers['if-none-match'])) response.status(304).end()
    else response.type('json').send(body)
  })

  return router
}

/**
 * Whether `If-None-Match` names the ETag. Express would not look at it next to `Cache-Control:
 * no-cache`, which `fetch` adds by itself.
 */
function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const named = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return named.includes(etag) || named.includes('*')
}

function feedOf(channel: CatalogChannel): Feed {
  const known = feeds.get(channel)
  if (known !== undefined) return known
  const releases = channel.compiled.published
    .map(({ facts }) => facts)
    .sort(newestFirst)
    .map((facts) => showInFeed(channel, facts))
  const body = JSON.stringify({ app: channel.app.ref, channel: channel.record.name, releases })
  const feed = { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"` }
  feeds.set(channel, feed)
  return feed
}
