import type { Express } from 'express'
import type { Plan, PlanPlace } from '../../../shared/plans/plan.ts'
import type { PlanState } from '../../../shared/plans/plan-state.ts'
import type { Release } from '../../../shared/releases/release.ts'
import { showRelease } from '../../catalog/releases/show-release.ts'
import type { Principal } from '../../use-cases/principal.ts'
import { HttpError } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { DRAFT_OPERATIONS } from '../openapi/openapi-drafts.ts'
import { PLAN_OPERATIONS } from '../openapi/openapi-plans.ts'
import { CHANNEL_OPERATIONS, RELEASE_OPERATIONS } from '../openapi/openapi-releases.ts'
import { addRoute } from '../request/operation-routes.ts'
import { text } from '../strings.ts'

const REQUIRED = ['app', 'channel', 'version'] as const

/** Refuses a body that does not name a release, with the one message that the contract words for itself. */
function requireReleaseName(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  const missing = REQUIRED.find((member) => (Reflect.get(body, member) ?? '') === '')
  if (missing === undefined) return
  throw new HttpError(400, text.required(missing))
}

/** `/api/v1/channels`: show a channel, and change who is in every rollout of it. */
export function addChannelRoutes(app: Express, context: ApiContext): void {
  const { updates, contact, log } = context
  const api = { app, context }

  addRoute(api, CHANNEL_OPERATIONS.showChannel, async ({ principal, path }) => {
    const { channel } = await updates.showChannel(principal, path)
    return { channel }
  })

  addRoute(api, CHANNEL_OPERATIONS.changeChannel, async ({ principal, body }) => {
    const { seenChange: seen, app, channel, ...change } = body
    const place = { app, channel }
    const { changed } = await updates.setChannelPolicy(principal, { ...place, change, seen })
    if (changed) log.info(place, 'channel policy changed')
    await contact.requireConfirmed()
    const shown = await updates.showChannel(principal, place)
    return { channel: shown.channel }
  })
}

/** `/api/v1/releases`: list, show one, its adoption, health and proof, check a version, preflight, prove, publish, manage serving. */
export function addReleaseRoutes(app: Express, context: ApiContext): void {
  const { updates, contact, log } = context
  const api = { app, context }
  const named = { ...api, check: requireReleaseName }
  const of = RELEASE_OPERATIONS

  addRoute(api, of.listReleases, async ({ principal, query: { per_page: perPage, ...query } }) => {
    const found = await updates.listReleases(principal, { ...query, perPage })
    const { page, pageCount, total } = found
    const releases = found.releases.map(({ channel, release }) => showRelease(channel, release))
    return { releases, page, pageCount, total }
  })

  addRoute(api, of.showRelease, async ({ principal, path }) => ({
    release: await updates.getRelease(principal, path),
  }))
  addRoute(api, of.showAdoption, async ({ principal, path }) => ({
    adoption: await updates.showAdoption(principal, path),
  }))
  addRoute(api, of.showHealth, async ({ principal, path }) => ({
    health: await updates.showHealth(principal, path),
  }))
  addRoute(api, of.checkVersion, async ({ principal, path }) => ({
    verdict: await updates.judgeVersion(principal, path),
  }))
  addRoute(api, of.preflightRelease, async ({ principal, path }) => ({
    preflight: await updates.preflight(principal, path),
  }))
  addRoute(api, of.proveRelease, async ({ principal, path }) => ({
    proof: await updates.startProof(principal, path),
  }))
  addRoute(api, of.showProof, async ({ principal, path }) => ({
    proof: await updates.showProof(principal, path),
  }))

  addRoute(named, of.publishRelease, async ({ principal, body }) => {
    const release = await updates.publishRelease(principal, body)
    const { app, channel, version } = release
    log.info({ app, channel, version }, 'release published')
    // Answered anyway: a repetition would be refused, and a server that does not know the release yet serves what is older.
    await contact.isConfirmed()
    return { release }
  })

  addRoute(api, of.changeServing, async ({ principal, body: { plan, ...body } }) => {
    if (plan !== undefined) return { release: await setPlan(context, principal, { ...body, plan }) }
    const { release, changed } = await updates.changeServing(principal, body)
    if (changed) {
      const { app, channel, version, rolloutPct, status } = release
      log.info({ app, channel, version, rolloutPct, status }, 'serving changed')
    }
    await contact.requireConfirmed()
    return { release }
  })
}

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

/** Sets the plan of a release, and returns the release. Throws what setting a plan does. */
async function setPlan(
  { updates, contact, log }: ApiContext,
  principal: Principal,
  body: PlanPlace & { readonly plan: Plan },
): Promise<Release> {
  const set = await updates.setPlan(principal, body)
  logPlan(log, body, set)
  await contact.requireConfirmed()
  const { preflight } = set
  const release = await updates.getRelease(principal, body)
  return { ...release, ...(preflight && { preflight }) }
}

function logPlan(
  log: ApiContext['log'],
  { app, channel, version }: PlanPlace,
  { status, step }: PlanState,
): void {
  log.info({ app, channel, version, status, step }, 'plan changed')
}

/** The plan of a release, in `/api/v1/releases`: show, set, suspend, resume and remove. */
export function addPlanRoutes(app: Express, context: ApiContext): void {
  const { updates, contact, log } = context
  const api = { app, context }
  const named = { ...api, check: requireReleaseName }
  const of = PLAN_OPERATIONS

  addRoute(api, of.showPlan, async ({ principal, path }) => {
    const { plan } = await updates.getPlan(principal, path)
    return { plan }
  })

  const change =
    <Body extends PlanPlace>(call: (principal: Principal, body: Body) => Promise<PlanState>) =>
    async ({ principal, body }: { readonly principal: Principal; readonly body: Body }) => {
      const plan = await call(principal, body)
      logPlan(log, body, plan)
      await contact.requireConfirmed()
      return { plan }
    }
  addRoute(named, of.setPlan, change(updates.setPlan))
  addRoute(named, of.suspendPlan, change(updates.suspendPlan))
  addRoute(named, of.resumePlan, change(updates.resumePlan))
  addRoute(named, of.removePlan, change(updates.removePlan))
}
