import { Router } from 'express'
import { PublishBody, ReleaseListQuery, ReleasePath, ServingBody } from '../../../shared/release.ts'
import { showRelease } from '../../catalog/show-release.ts'
import { HttpError, parseInput, parseWholeQuery } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { principalOf, requireKey } from '../request/auth.ts'
import { jsonBody } from '../request/body.ts'
import { text } from '../strings.ts'

const REQUIRED = ['app', 'channel', 'version'] as const

/** `/api/v1/releases`: list, show one, publish, manage serving. */
export function releaseRoutes(context: ApiContext): Router {
  const { updates, log } = context
  const router = Router()

  router.get('/', requireKey(context, 'read'), async (request, response) => {
    const { per_page: perPage, ...query } = parseWholeQuery(ReleaseListQuery, request.query)
    const found = await updates.listReleases(principalOf(request), { ...query, perPage })
    const { page, pageCount, total } = found
    const releases = found.releases.map(({ channel, release }) => showRelease(channel, release))
    response.json({ releases, page, pageCount, total })
  })

  router.get('/:app/:channel/:version', requireKey(context, 'read'), async (request, response) => {
    const path = parseInput(ReleasePath, request.params)
    response.json({ release: await updates.getRelease(principalOf(request), path) })
  })

  router.post('/', requireKey(context, 'publish'), jsonBody, async (request, response) => {
    requirePublishMembers(request.body)
    const body = parseInput(PublishBody, request.body)
    const release = await updates.publishRelease(principalOf(request), body)
    const { app, channel, version } = release
    log.info({ app, channel, version }, 'release published')
    response.status(201).json({ release })
  })

  router.patch('/', requireKey(context, 'serve'), jsonBody, async (request, response) => {
    const body = parseInput(ServingBody, request.body)
    const { release, changed } = await updates.changeServing(principalOf(request), body)
    if (changed) {
      const { app, channel, version, rolloutPct, status } = release
      log.info({ app, channel, version, rolloutPct, status }, 'serving changed')
    }
    response.json({ release })
  })

  return router
}

/** The one message that the contract words for itself. */
function requirePublishMembers(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  const missing = REQUIRED.find((member) => (Reflect.get(body, member) ?? '') === '')
  if (missing === undefined) return
  throw new HttpError(400, text.required(missing))
}
