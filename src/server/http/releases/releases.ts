import { Router } from 'express'
import { PublishBody, ReleaseListQuery, ReleasePath, ServingBody } from '../../../shared/release.ts'
import { showRelease } from '../../catalog/show-release.ts'
import { parseInput, parseWholeQuery } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { principalOf, requireKey } from '../request/auth.ts'
import { jsonBody } from '../request/body.ts'
import { addPlanRoutes, setPlan } from './plans.ts'
import { requireReleaseName } from './release-name.ts'

/** `/api/v1/releases`, with plans: list, show one, its adoption, health and proof, prove, publish, manage serving. */
export function releaseRoutes(context: ApiContext): Router {
  const { updates, contact, log } = context
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

  router.get(
    '/:app/:channel/:version/adoption',
    requireKey(context, 'read'),
    async (request, response) => {
      const path = parseInput(ReleasePath, request.params)
      response.json({ adoption: await updates.showAdoption(principalOf(request), path) })
    },
  )

  router.get(
    '/:app/:channel/:version/health',
    requireKey(context, 'read'),
    async (request, response) => {
      const path = parseInput(ReleasePath, request.params)
      response.json({ health: await updates.showHealth(principalOf(request), path) })
    },
  )

  router.post(
    '/:app/:channel/:version/proof',
    requireKey(context, 'publish'),
    async (request, response) => {
      const path = parseInput(ReleasePath, request.params)
      response.json({ proof: await updates.startProof(principalOf(request), path) })
    },
  )

  router.get(
    '/:app/:channel/:version/proof',
    requireKey(context, 'publish'),
    async (request, response) => {
      const path = parseInput(ReleasePath, request.params)
      response.json({ proof: await updates.showProof(principalOf(request), path) })
    },
  )

  router.post('/', requireKey(context, 'publish'), jsonBody, async (request, response) => {
    requireReleaseName(request.body)
    const body = parseInput(PublishBody, request.body)
    const release = await updates.publishRelease(principalOf(request), body)
    const { app, channel, version } = release
    log.info({ app, channel, version }, 'release published')
    // Answered anyway: a repetition would be refused, and a server that does not know the release yet serves what is older.
    await contact.isConfirmed()
    response.status(201).json({ release })
  })

  router.patch('/', requireKey(context, 'serve'), jsonBody, async (request, response) => {
    const { plan, ...body } = parseInput(ServingBody, request.body)
    if (plan !== undefined) {
      response.json({ release: await setPlan(context, principalOf(request), { ...body, plan }) })
      return
    }
    const { release, changed } = await updates.changeServing(principalOf(request), body)
    if (changed) {
      const { app, channel, version, rolloutPct, status } = release
      log.info({ app, channel, version, rolloutPct, status }, 'serving changed')
    }
    await contact.requireConfirmed()
    response.json({ release })
  })

  addPlanRoutes(router, context)
  return router
}
