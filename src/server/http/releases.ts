import { type Request, Router } from 'express'
import { PublishBody, ReleaseListQuery, ServingBody } from '../../shared/release.ts'
import { publishRelease } from '../catalog/publish.ts'
import { changeServing } from '../catalog/serving.ts'
import type { CatalogChannel, Snapshot } from '../catalog/snapshot.ts'
import type { ReleaseRecord } from '../catalog/store.ts'
import { actorOf, appOf, channelOf, keyOf, requireKey } from './auth.ts'
import { jsonBody } from './body.ts'
import type { ApiContext } from './context.ts'
import { HttpError, parseInput } from './errors.ts'
import { showRelease } from './show-release.ts'

const REQUIRED = ['app', 'channel', 'version'] as const

/** `/api/v1/releases`: list, publish, manage serving. */
export function releaseRoutes(context: ApiContext): Router {
  const { catalog, log } = context
  const router = Router()

  router.get('/', requireKey(context, 'read'), async (request, response) => {
    const query = parseInput(ReleaseListQuery, request.query)
    const { page, per_page: limit } = query
    const scope = listScope(request, catalog.snapshot, query)
    const found = await catalog.store.releasePage({ ...scope, limit, offset: (page - 1) * limit })
    response.json({
      releases: found.releases.map((release) =>
        showRelease(placeOf(catalog.snapshot, release), release),
      ),
      page,
      pageCount: Math.ceil(found.total / limit),
      total: found.total,
    })
  })

  router.post('/', requireKey(context, 'publish'), jsonBody, async (request, response) => {
    requirePublishMembers(request.body)
    const body = parseInput(PublishBody, request.body)
    const channel = channelOf(request, catalog.snapshot, body)
    const release = await publishRelease(catalog, actorOf(request), channel, body)
    log.info({ app: channel.app.ref, channel: body.channel, version: body.version }, 'published')
    response.status(201).json({ release: showRelease(channel, release) })
  })

  router.patch('/', requireKey(context, 'serve'), jsonBody, async (request, response) => {
    const body = parseInput(ServingBody, request.body)
    const { targets, rolloutPct, status, version } = body
    const channel = channelOf(request, catalog.snapshot, body)
    const change = { targets, rolloutPct, status }
    const release = await changeServing(catalog, actorOf(request), channel, version, change)
    const place = { app: channel.app.ref, channel: body.channel, version }
    log.info(
      { ...place, rolloutPct: release.rolloutPct, status: release.status },
      'serving changed',
    )
    response.json({ release: showRelease(channel, release) })
  })

  return router
}

function placeOf(snapshot: Snapshot, { channelKey }: ReleaseRecord): CatalogChannel {
  const channel = snapshot.channelByKey.get(channelKey)
  if (channel === undefined) throw new Error(`no channel ${channelKey}`)
  return channel
}

/** Which releases the list holds: of the app and channel that the query names and the key sees. */
function listScope(
  request: Request,
  snapshot: Snapshot,
  query: { app?: string | undefined; channel?: string | undefined },
): { appKey?: number; channelKeys?: readonly number[] } {
  const seen = keyOf(request).appKey
  const app = query.app === undefined ? undefined : appOf(request, snapshot, query.app)
  const appKey = app?.record.key ?? seen ?? undefined
  if (query.channel === undefined) return appKey === undefined ? {} : { appKey }
  const channelKeys = [...snapshot.channelByKey.values()]
    .filter(({ record }) => record.name === query.channel)
    .filter(({ record }) => appKey === undefined || record.appKey === appKey)
    .map(({ record }) => record.key)
  if (app !== undefined && channelKeys.length === 0) {
    throw new HttpError(404, `unknown channel "${query.channel}" of app "${app.record.ref}"`)
  }
  return { channelKeys }
}

/** The one message that the contract words for itself. */
function requirePublishMembers(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  const missing = REQUIRED.find((member) => (Reflect.get(body, member) ?? '') === '')
  if (missing === undefined) return
  throw new HttpError(400, `${missing}: app, channel and version are required`)
}
