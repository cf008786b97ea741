import type {
  ForecastInput,
  PlanCalendar,
  PlanForecast,
} from '../../../shared/console/releases/plans.ts'
import { devicesToExclude } from '../../../shared/health/always-valid.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import type { PlanPreset } from '../../../shared/plans/plan-presets.ts'
import { EVERY_DEVICE } from '../../../shared/releases/targets.ts'
import { unknownRelease } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import { progressOf } from '../../catalog/plans/advance-plan.ts'
import { fitNewPlan, fitPlan } from '../../catalog/plans/plan-checks.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { FleetReads } from '../../fleet/store.ts'
import { dayOf } from '../../fleet/time.ts'
import { hoursToFindGone, recommendedPreset, type SeenDevices } from '../../rules/judging/gone.ts'
import { type ChannelPlace, findChannel, type Principal, visibleApps } from '../principal.ts'
import { type PlanParts, releaseOf } from './plans.ts'
import { showForecast, showPlan } from './show-plan.ts'

/** Below that share, no fleet is large enough. */
const MIN_LIMIT = 0.0001

export interface ForecastParts extends PlanParts {
  readonly fleet: Pick<FleetReads, 'adoption' | 'presence'>
}

/** Returns a given plan, or that of the release, over the calendar. Needs the role `viewer`. Throws `unknown`, and as setting it. */
export async function forecastPlan(
  { catalog, fleet }: ForecastParts,
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
    const forecast = showForecast(plan, targets, { step, soakSince: null }, view)
    return withEvidence(forecast, plan, await seenOn(fleet, channel, view.now))
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
  const forecast = showForecast(plan, targets, { step, soakSince: view.now }, view)
  return withEvidence(forecast, plan, await seenOn(fleet, channel, view.now))
}

/** Returns the preset that suits the devices of a channel. Needs the role `viewer`; throws `unknown`. */
export async function recommendPlan(
  { catalog, fleet }: ForecastParts,
  principal: Principal,
  place: ChannelPlace,
): Promise<PlanPreset> {
  const channel = findChannel(await catalog.refresh(), principal, place, 'viewer')
  return recommendedPreset(await seenOn(fleet, channel, catalog.now()))
}

/** Days that devices are averaged over. */
const WEEK = 7

async function seenOn(
  fleet: ForecastParts['fleet'],
  { app, record }: CatalogChannel,
  now: number,
): Promise<SeenDevices> {
  const today = dayOf(now)
  const [cells, present] = await Promise.all([
    fleet.adoption(app.key, today - WEEK, today - 1),
    fleet.presence(app.key, today),
  ])
  const sum = (counted: readonly { readonly channel: string; readonly devices: number }[]) =>
    counted.reduce((all, { channel, devices }) => all + (channel === record.name ? devices : 0), 0)
  return { perDay: sum(cells) / WEEK, devices: sum(present) }
}

/** Adds how long it takes until a step shows that a release does not fail too often. */
function withEvidence(forecast: PlanForecast, plan: Plan, seen: SeenDevices): PlanForecast {
  const steps = forecast.steps.map((step) => {
    if (step.rings !== null) return step
    const gatePct = plan.steps[step.step]?.gate?.maxFailedPct
    const limitPct = gatePct ?? plan.maxFailedPct
    const limit = Math.max(MIN_LIMIT, limitPct / 100)
    const needed = devicesToExclude(limit)
    const share = step.rolloutPct / 100
    const [perDay, devices] = [seen.perDay * share, Math.floor(seen.devices * share)]
    const isEnough = perDay > 0 && devices >= needed
    const hours = isEnough ? Math.ceil((24 * needed) / perDay) : null
    const gate =
      gatePct === undefined
        ? null
        : { opensFrom: devicesToExclude(limit, 0), leastPct: leastLimit(devices) }
    const silenceHours = hoursToFindGone(share, seen, plan)
    return { ...step, evidence: { limitPct, needed, devices, hours, silenceHours, gate } }
  })
  return { ...forecast, steps }
}

/** Returns the least limit, in whole percent, that so many devices show; null if they show none. */
function leastLimit(devices: number): number | null {
  const least = Array.from({ length: 99 }, (_, index) => index + 1).find(
    (percent) => devicesToExclude(percent / 100) <= devices,
  )
  return least ?? null
}

/** Returns the plans of visible apps that can still apply a step, and the freezes of these apps. A rolled-back release's cannot. */
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
