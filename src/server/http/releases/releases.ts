import { type Request, Router } from 'express'
import type { z } from 'zod'
import { PublishBody, ReleaseListQuery, ReleasePath, ServingBody } from '../../../shared/release.ts'
import { requireChannel, unknownRelease } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import { newestFirst } from '../../catalog/newest.ts'
import { publishRelease } from '../../catalog/publish.ts'
import { changeServing } from '../../catalog/serving.ts'
import { showRelease } from '../../catalog/show-release.ts'
import type { ReleaseRecord } from '../../catalog/store.ts'
import { HttpError, parseInput, parseWholeQuery } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { actorOf, appOf, channelOf, keyOf, requireKey } from '../request/auth.ts'
import { jsonBody } from '../request/body.ts'

const REQUIRED = ['app', 'channel', 'version'] as const

/** `/api/v1/releases`: list, show one, publish, manage serving. */
export function releaseRoutes(context: ApiContext): Router {
  const { catalog, log } = context
  const router = Router()

  router.get('/', requireKey(context, 'read'), async (request, response) => {
    const query = parseWholeQuery(ReleaseListQuery, request.query)
    const { page, per_page: limit } = query
    const found = await findReleases(request, context, query)
    // The page is read from the store, which may have more than the snapshot.
    const { channelByKey } = await catalog.refresh()
    response.json({
      releases: found.releases.flatMap((release) => {
        const channel = channelByKey.get(release.channelKey)
        // Removed after the page was read.
        return channel === undefined ? [] : [showRelease(channel, release)]
      }),
      page,
      pageCount: Math.ceil(found.total / limit),
      total: found.total,
    })
  })

  router.get('/:app/:channel/:version', requireKey(context, 'read'), async (request, response) => {
    const path = parseInput(ReleasePath, request.params)
    const channel = channelOf(request, catalog.snapshot, path)
    const release = await catalog.store.release(channel.record.key, path.version)
    if (release === undefined) throw unknownRelease(channel, path.version)
    response.json({ release: showRelease(channel, release) })
  })

  router.post('/', requireKey(context, 'publish'), jsonBody, async (request, response) => {
    requirePublishMembers(request.body)
    const body = parseInput(PublishBody, request.body)
    // Refreshed again: receiving the body may have taken a while.
    const channel = channelOf(request, await catalog.refresh(), body)
    const release = await publishRelease(catalog, actorOf(request), channel, body)
    log.info({ app: channel.app.ref, channel: body.channel, version: body.version }, 'published')
    response.status(201).json({ release: showRelease(channel, release) })
  })

  router.patch('/', requireKey(context, 'serve'), jsonBody, async (request, response) => {
    const body = parseInput(ServingBody, request.body)
    const { app: _app, channel: _channel, version, ...change } = body
    const channel = channelOf(request, await catalog.refresh(), body)
    const actor = actorOf(request)
    const { release, changed } = await changeServing(catalog, actor, channel, version, change)
    if (changed) {
      const place = { app: channel.app.ref, channel: body.channel, version }
      const { rolloutPct, status } = release
      log.info({ ...place, rolloutPct, status }, 'serving changed')
    }
    response.json({ release: showRelease(channel, release) })
  })

  return router
}

/** A page of the releases of the app and channel that the query names and the key sees. */
async function findReleases(
  request: Request,
  { catalog: { snapshot, store } }: ApiContext,
  { app: named, channel, page, per_page: limit }: z.output<typeof ReleaseListQuery>,
): Promise<{ releases: readonly ReleaseRecord[]; total: number }> {
  const { appKey: seen } = keyOf(request)
  const app = named === undefined ? undefined : appOf(request, snapshot, named)
  const appKey = app?.record.key ?? seen
  const offset = (page - 1) * limit
  if (channel === undefined) {
    return await store.releasePage({ ...(appKey === null ? {} : { appKey }), limit, offset })
  }
  if (app !== undefined) {
    const channelKey = requireChannel(app, channel).record.key
    return await store.releasePage({ channelKey, limit, offset })
  }
  // Of one name in several apps: the store knows channels one by one.
  const channels = [...snapshot.channelByKey.values()]
    .filter(({ app, record }) => record.name === channel && app.archivedAt === null)
    .filter(({ record }) => appKey === null || record.appKey === appKey)
  if (channels.length === 0) throw new Refusal({ code: 'unknown_channel', app: null, channel })
  const releases = channels
    .flatMap(({ compiled }) => compiled.releases.map(({ facts }) => facts))
    .sort(newestFirst)
  return { releases: releases.slice(offset, offset + limit), total: releases.length }
}

/** The one message that the contract words for itself. */
function requirePublishMembers(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  const missing = REQUIRED.find((member) => (Reflect.get(body, member) ?? '') === '')
  if (missing === undefined) return
  throw new HttpError(400, `${missing}: app, channel and version are required`)
}
