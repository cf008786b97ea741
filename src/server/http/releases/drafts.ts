import type { Express } from 'express'
import type { ApiContext } from '../context.ts'
import { DRAFT_OPERATIONS } from '../openapi/openapi-drafts.ts'
import { addRoute } from '../request/operation-routes.ts'
import { requireReleaseName } from './release-name.ts'

/** `/api/v1/drafts`: list, show one, create or add to one, publish and discard. */
export function addDraftRoutes(app: Express, context: ApiContext): void {
  const { updates, contact, log } = context
  const api = { app, context }
  const named = { ...api, check: requireReleaseName }
  const of = DRAFT_OPERATIONS

  addRoute(api, of.listDrafts, async ({ principal, query: { per_page: perPage, ...query } }) => {
    const found = await updates.listDrafts(principal, { ...query, perPage })
    const { page, pageCount, total } = found
    return { drafts: found.drafts.map(({ draft }) => draft), page, pageCount, total }
  })

  addRoute(api, of.showDraft, async ({ principal, path }) => {
    const { draft } = await updates.getDraft(principal, path)
    return { draft }
  })

  addRoute(named, of.putDraft, async ({ principal, body }) => {
    const draft = await updates.putDraft(principal, body)
    await contact.requireConfirmed()
    return { draft }
  })

  addRoute(named, of.publishDraft, async ({ principal, body }) => {
    const release = await updates.publishDraft(principal, body)
    const { app, channel, version } = release
    log.info({ app, channel, version }, 'release published')
    // Answered anyway, here and below: a repetition would be refused.
    await contact.isConfirmed()
    return { release }
  })

  addRoute(named, of.discardDraft, async ({ principal, body }) => {
    const draft = await updates.discardDraft(principal, body)
    await contact.isConfirmed()
    return { draft }
  })
}
