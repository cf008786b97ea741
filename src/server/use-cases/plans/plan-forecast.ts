import type { ForecastInput, PlanCalendar, PlanForecast } from '../../../shared/console/plans.ts'
import { EVERY_DEVICE } from '../../../shared/targets.ts'
import { unknownRelease } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import { progressOf } from '../../catalog/plans/advance-plan.ts'
import { fitNewPlan, fitPlan } from '../../catalog/plans/plan-checks.ts'
import { findChannel, type Principal, visibleApps } from '../principal.ts'
import { type PlanParts, releaseOf } from './plans.ts'
import { showForecast, showPlan } from './show-plan.ts'

/**
 * Returns a plan laid over the calendar: the one that is given, or else that of the release. Needs the role `viewer`.
 * Throws `unknown`, and what setting the plan, or publishing with it, would be refused with.
 */
export async function forecastPlan(
  { catalog }: PlanParts,
  principal: Principal,
  { version, plan, targets: planned = EVERY_DEVICE, ...place }: ForecastInput,
): Promise<PlanForecast> {
  const channel = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const view = { freezes: channel.app.freezes, now: catalog.now() }
  const release = releaseOf(channel, version)
  const known = release && (await catalog.store.plan(release.id))
  if (plan !== undefined && release === undefined) {
    const { targets, step } = fitNewPlan(plan, channel, {
      version: version ?? '',
      targets: planned,
    })
    return showForecast(plan, targets, { step, soakSince: null }, view)
  }
  if (release === undefined) throw unknownRelease(channel, version ?? '')
  if (plan === undefined) {
    if (known !== undefined) {
      return showForecast(known.plan, known.targets, progressOf(known, release), view)
    }
    const { app, record } = channel
    const named = { app: app.ref, channel: record.name, version: release.version }
    throw new Refusal({ code: 'unknown_plan', ...named })
  }
  const { targets, step } = fitPlan(plan, channel, release, known)
  return showForecast(plan, targets, { step, soakSince: view.now }, view)
}

/**
 * Returns the plans of the apps that the principal sees that can still apply a step, and the freezes of these apps. The
 * plan of a release that was rolled back cannot.
 */
export async function planCalendar(
  { catalog, healthOf }: PlanParts,
  principal: Principal,
): Promise<PlanCalendar> {
  const snapshot = await catalog.refresh()
  const apps = visibleApps(snapshot, principal).filter(({ record }) => record.archivedAt === null)
  const channels = new Map(
    apps.flatMap((app) => [...app.channels.values()].map((each) => [each.record.key, each])),
  )
  const stored = await catalog.store.plans(['running', 'suspended', 'stopped'])
  const now = catalog.now()
  const listed = stored.map(async (record): Promise<PlanCalendar['plans']> => {
    const channel = channels.get(record.channelKey)
    const release = channel && releaseOf(channel, record.version)
    if (channel === undefined || release === undefined) return []
    if (release.status === 'rolled_back') return []
    const { freezes, ref: app } = channel.app
    const health = await healthOf(release.id)
    const state = showPlan(record, release, { freezes, health, now })
    const progress = progressOf(record, release)
    const forecast =
      state.status === 'running'
        ? showForecast(record.plan, record.targets, progress, { freezes, now })
        : null
    const { version, rolloutPct } = release
    const place = { app, channel: channel.record.name, version }
    return [{ ...place, rolloutPct, state, health, forecast }]
  })
  const freezes = apps.flatMap(({ record }) =>
    record.freezes.length === 0 ? [] : [{ app: record.ref, freezes: [...record.freezes] }],
  )
  return { plans: (await Promise.all(listed)).flat(), freezes }
}
