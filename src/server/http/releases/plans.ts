import type { Express } from 'express'
import type { Plan, PlanPlace } from '../../../shared/plans/plan.ts'
import type { PlanState } from '../../../shared/plans/plan-state.ts'
import type { Release } from '../../../shared/releases/release.ts'
import type { Principal } from '../../use-cases/principal.ts'
import type { ApiContext } from '../context.ts'
import { PLAN_OPERATIONS } from '../openapi/openapi-plans.ts'
import { addRoute } from '../request/operation-routes.ts'
import { requireReleaseName } from './release-name.ts'

/** Sets the plan of a release, and returns the release. Throws what setting a plan does. */
export async function setPlan(
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
