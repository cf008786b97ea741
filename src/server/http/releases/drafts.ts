import { Router } from 'express'
import { DraftBody, DraftListQuery, DraftPlace, PublishDraftBody } from '../../../shared/draft.ts'
import { ReleasePath } from '../../../shared/release.ts'
import { parseInput, parseWholeQuery } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { principalOf, requireKey } from '../request/auth.ts'
import { jsonBody } from '../request/body.ts'
import { requireReleaseName } from './release-name.ts'

/** `/api/v1/drafts`: list, show one, create or add to one, publish and discard. */
export function draftRoutes(context: ApiContext): Router {
  const { updates, contact, log } = context
  const router = Router()
  const key = requireKey(context, 'publish')

  router.get('/', key, async (request, response) => {
    const { per_page: perPage, ...query } = parseWholeQuery(DraftListQuery, request.query)
    const found = await updates.listDrafts(principalOf(request), { ...query, perPage })
    const { page, pageCount, total } = found
    response.json({ drafts: found.drafts.map(({ draft }) => draft), page, pageCount, total })
  })

  router.get('/:app/:channel/:version', key, async (request, response) => {
    const path = parseInput(ReleasePath, request.params)
    const { draft } = await updates.getDraft(principalOf(request), path)
    response.json({ draft })
  })

  router.put('/', key, jsonBody, async (request, response) => {
    requireReleaseName(request.body)
    const body = parseInput(DraftBody, request.body)
    const draft = await updates.putDraft(principalOf(request), body)
    await contact.requireConfirmed()
    response.json({ draft })
  })

  router.post('/publish', key, jsonBody, async (request, response) => {
    requireReleaseName(request.body)
    const body = parseInput(PublishDraftBody, request.body)
    const release = await updates.publishDraft(principalOf(request), body)
    const { app, channel, version } = release
    log.info({ app, channel, version }, 'release published')
    // Answered anyway, here and below: a repetition would be refused.
    await contact.isConfirmed()
    response.status(201).json({ release })
  })

  router.delete('/', key, jsonBody, async (request, response) => {
    // Some clients send no body with DELETE.
    const named = { ...request.query, ...Object(request.body) }
    requireReleaseName(named)
    const place = parseInput(DraftPlace, named)
    const draft = await updates.discardDraft(principalOf(request), place)
    await contact.isConfirmed()
    response.json({ draft })
  })

  return router
}
