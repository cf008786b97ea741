import type { Router } from 'express'
import { type Plan, PlanBody, PlanPlace, type PlanState } from '../../../shared/plan.ts'
import { type Release, ReleasePath } from '../../../shared/release.ts'
import type { Principal } from '../../updates/principal.ts'
import { parseInput } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { principalOf, requireKey } from '../request/auth.ts'
import { jsonBody } from '../request/body.ts'
import { requireReleaseName } from './release-name.ts'

/** Sets the plan of a release, and returns the release. Throws what setting a plan does. */
export async function setPlan(
  { updates, contact, log }: ApiContext,
  principal: Principal,
  body: PlanPlace & { readonly plan: Plan },
): Promise<Release> {
  logPlan(log, body, await updates.setPlan(principal, body))
  await contact.requireConfirmed()
  return await updates.getRelease(principal, body)
}

function logPlan(
  log: ApiContext['log'],
  { app, channel, version }: PlanPlace,
  { status, step }: PlanState,
): void {
  log.info({ app, channel, version, status, step }, 'plan changed')
}

/** Adds the routes of plans to `/api/v1/releases`: show, set, suspend, resume and remove one. */
export function addPlanRoutes(router: Router, context: ApiContext): void {
  const { updates, contact, log } = context
  const read = requireKey(context, 'read')
  const serve = requireKey(context, 'serve')
  const changed = async (place: PlanPlace, state: PlanState) => {
    logPlan(log, place, state)
    await contact.requireConfirmed()
  }

  router.get('/:app/:channel/:version/plan', read, async (request, response) => {
    const path = parseInput(ReleasePath, request.params)
    const { plan } = await updates.getPlan(principalOf(request), path)
    response.json({ plan })
  })

  router.put('/plan', serve, jsonBody, async (request, response) => {
    requireReleaseName(request.body)
    const body = parseInput(PlanBody, request.body)
    const plan = await updates.setPlan(principalOf(request), body)
    await changed(body, plan)
    response.json({ plan })
  })

  const post = (
    path: string,
    call: (principal: Principal, place: PlanPlace) => Promise<PlanState>,
  ) =>
    router.post(path, serve, jsonBody, async (request, response) => {
      requireReleaseName(request.body)
      const place = parseInput(PlanPlace, request.body)
      const plan = await call(principalOf(request), place)
      await changed(place, plan)
      response.json({ plan })
    })
  post('/plan/suspend', updates.suspendPlan)
  post('/plan/resume', updates.resumePlan)

  router.delete('/plan', serve, jsonBody, async (request, response) => {
    // Some clients send no body with DELETE.
    const named = { ...request.query, ...Object(request.body) }
    requireReleaseName(named)
    const place = parseInput(PlanPlace, named)
    const plan = await updates.removePlan(principalOf(request), place)
    await changed(place, plan)
    response.json({ plan })
  })
}
