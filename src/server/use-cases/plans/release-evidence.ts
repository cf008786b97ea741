import type { ReleaseHealth } from '../../../shared/health/health.ts'
import type { Plan } from '../../../shared/plans/plan.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { HealthReads } from '../../fleet/health/facts.ts'
import type { DeviceViews, FleetReads } from '../../fleet/store.ts'
import { dayName, dayOf } from '../../fleet/time.ts'
import { activityOf, KNOWN_DAYS } from '../../rules/judging/activity.ts'
import type { AcceptedObserved, Activity, Observed } from '../../rules/judging/counted.ts'
import { gatedHealth } from '../../rules/judging/judge.ts'
import { countedOf, NO_TALLIES, type WeighedEvidence } from '../../rules/judging/judge-weighed.ts'
import { roundedOf } from '../../rules/judging/tallies.ts'
import { countedPair } from '../fleet/previous-release.ts'
import type { ControlReader } from './control-reader.ts'

export interface EvidenceParts {
  readonly catalog: Catalog
  readonly controls: Pick<ControlReader, 'besideOf'>
  readonly fleet: Pick<HealthReads, 'channelHealth' | 'releaseHealth'> &
    Pick<FleetReads, 'adoption'> &
    Pick<DeviceViews, 'activeDevices'>
}

export interface Accused {
  readonly channel: CatalogChannel
  readonly releaseId: string
  /** See `Evidence`. */
  readonly accepted: AcceptedObserved | null
  readonly limits: Pick<Plan, 'maxFailedPct' | 'minSample'>
}

/** Returns what a release is judged by, from the counters; null if no device was offered it. */
export async function evidenceOf(
  { catalog, controls, fleet }: EvidenceParts,
  { channel, releaseId, accepted, limits }: Accused,
): Promise<WeighedEvidence | null> {
  const now = catalog.now()
  const { own, previous } = await countedPair(fleet, channel, releaseId, now)
  if (own === null) return null
  const isSilent = own.health.silent > 0
  const beside = await controls.besideOf(channel, own)
  const activity = isSilent ? await activityOn(fleet, channel, now) : null
  return {
    ...{ tallies: own.tallies, accepted, activity, limits },
    ...{ control: beside?.control ?? null, gone: beside?.look ?? null },
    previous: previous?.tallies ?? null,
    countsNew: channel.record.policy.countNewDevices,
  }
}

/** What of a release gates look at, and what a person accepts who resumes it. Whole devices. */
export interface CountedForPlans {
  readonly observed: Observed
  /** Without the network that has most of the adoptions, which may hide failures, and without what is usually stuck. */
  readonly gated: ReleaseHealth
}

/** Returns a function that reads what counts of a release toward the stops and gates of its plan. */
export function countedOfReleases({
  catalog,
  fleet,
}: {
  readonly catalog: Catalog
  readonly fleet: Pick<HealthReads, 'channelHealth' | 'releaseHealth'>
}): (releaseId: string) => Promise<CountedForPlans> {
  return async (releaseId) => {
    const now = catalog.now()
    const counted = await fleet.releaseHealth(releaseId, now)
    const channel = catalog.snapshot.channelByKey.get(counted?.channelKey ?? 0)
    const previous = channel && (await countedPair(fleet, channel, releaseId, now)).previous
    const countsNew = channel?.record.policy.countNewDevices ?? false
    const before = previous?.tallies ?? null
    const tallies = counted?.tallies ?? NO_TALLIES
    const { observed, withoutMost } = countedOf({ tallies, previous: before, countsNew })
    const compared = before && countedOf({ tallies: before, previous: before, countsNew }).observed
    const health = gatedHealth(withoutMost, compared)
    return { observed: roundedOf(observed), gated: roundedOf({ ...withoutMost, health }).health }
  }
}

async function activityOn(
  fleet: EvidenceParts['fleet'],
  { app, record: { key, name } }: CatalogChannel,
  now: number,
): Promise<Activity | null> {
  const today = dayOf(now)
  const [cells, active] = await Promise.all([
    fleet.adoption(app.key, today - KNOWN_DAYS, today),
    fleet.activeDevices(now),
  ])
  const byName = new Map<string, number>()
  for (const { day, channel, devices } of cells) {
    if (channel === name) byName.set(day, (byName.get(day) ?? 0) + devices)
  }
  const days = Array.from({ length: KNOWN_DAYS + 1 }, (_, back) => today - back)
  const byDay = new Map(days.map((day) => [day, byName.get(dayName(day)) ?? 0]))
  const seen = active
    .filter(({ profile }) => profile.channelKey === key)
    .reduce((sum, devices) => sum + devices.seen['24h'], 0)
  return activityOf({ seen, byDay }, now)
}
