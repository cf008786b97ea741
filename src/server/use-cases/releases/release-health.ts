import type { DailyFailures } from '../../../shared/console/releases/releases.ts'
import {
  type AdoptionTime,
  failedOf,
  failureShare,
  NO_HEALTH,
  type ReleaseHealth,
  type ReleaseHealthReport,
} from '../../../shared/health/health.ts'
import { endedOf } from '../../../shared/health/health-states.ts'
import type { SessionHealth } from '../../../shared/health/sessions.ts'
import { USUAL_LIMITS } from '../../../shared/plans/plan.ts'
import { type Catalog, requireRelease } from '../../catalog/catalog.ts'
import { devicesIn, type SessionTallies } from '../../catalog/sessions/session-ledger.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { HealthReads } from '../../fleet/health/facts.ts'
import type { Control } from '../../rules/judging/control.ts'
import { crashFreeOf, sumOf } from '../../rules/judging/crash-free.ts'
import { countedOf, measureWeighed, NO_TALLIES } from '../../rules/judging/judge-weighed.ts'
import { roundedOf, type WeighedTallies } from '../../rules/judging/tallies.ts'
import { countedPair } from '../fleet/previous-release.ts'
import { type ChannelPlace, findChannel, type Principal } from '../principal.ts'

const HOUR = 3_600_000

export interface HealthParts {
  readonly catalog: Catalog
  readonly fleet: HealthReads
  /** The control as the server that judges counted it last; null if it did not lately. */
  readonly controlOf: (releaseId: string) => Control | null
}

/** A release, and the previous one at the same age. */
export interface ComparedHealth {
  /** Unix time in milliseconds; null if no device was offered it. */
  readonly firstOfferedAt: number | null
  readonly health: ReleaseHealth
  readonly tallies: WeighedTallies
  /** Of those that adopted it, the devices that were offered another release since. */
  readonly movedOn: number
  readonly adoption: AdoptionTime | null
  /** Of the previous release as it is now; null without one. */
  readonly previousTallies: WeighedTallies | null
  readonly previous: {
    readonly version: string
    /** Whole hours since the first offer. */
    readonly age: number
    readonly health: ReleaseHealth
  } | null
}

/** Returns what became of the devices that were offered a release, from the counters, beside the previous release. */
export async function compareHealth(
  { catalog, fleet }: Pick<HealthParts, 'catalog' | 'fleet'>,
  channel: CatalogChannel,
  releaseId: string,
): Promise<ComparedHealth> {
  const now = catalog.now()
  const { own, previous: before } = await countedPair(fleet, channel, releaseId, now)
  if (own === null) {
    const nothing = {
      tallies: NO_TALLIES,
      previousTallies: null,
      movedOn: 0,
      adoption: null,
      previous: null,
    }
    return { firstOfferedAt: null, health: NO_HEALTH, ...nothing }
  }
  const { offeredAt: firstOfferedAt, health, tallies, movedOn, adoption } = own
  const previousTallies = before?.tallies ?? null
  const counted = { firstOfferedAt, health, tallies, previousTallies, movedOn, adoption }
  if (before === null) return { ...counted, previous: null }
  const age = Math.max(0, Math.floor((now - firstOfferedAt) / HOUR))
  const then = await fleet.healthAt(before.id, age)
  const previous = then && { version: before.version, age, health: then }
  return { ...counted, previous }
}

/** Returns the health of a release as the API shows it. Needs the role `viewer`. Throws `unknown`. */
export async function showHealth(
  parts: HealthParts,
  principal: Principal,
  { version, ...place }: ChannelPlace & { readonly version: string },
): Promise<ReleaseHealthReport> {
  const channel = findChannel(await parts.catalog.refresh(), principal, place, 'viewer')
  const { id } = requireRelease(channel, version).facts
  const compared = await compareHealth(parts, channel, id)
  const tallied = await parts.catalog.store.sessionsOf(id)
  const { firstOfferedAt, health, tallies, movedOn, adoption, previous } = compared
  const plan = await parts.catalog.store.plan(id)
  const evidence = {
    ...{ tallies, previous: compared.previousTallies },
    countsNew: channel.record.policy.countNewDevices,
    ...{ control: parts.controlOf(id), gone: null, activity: null },
    ...{ accepted: plan?.accepted ?? null, limits: plan?.plan ?? USUAL_LIMITS },
  }
  const counted = countedOf(evidence)
  return {
    ...{ app: channel.app.ref, channel: channel.record.name, version },
    firstOfferedAt: firstOfferedAt === null ? null : new Date(firstOfferedAt).toISOString(),
    ...{ health, counted: roundedOf(counted.observed).health, newDevices: tallies.fresh.health },
    networks: counted.networks,
    ...{ movedOn, failureShare: failureShare(health), verdict: measureWeighed(evidence) },
    timeToAdopt: adoption && {
      medianSeconds: Math.round(adoption.median / 1_000),
      p90Seconds: Math.round(adoption.p90 / 1_000),
    },
    sessions: sessionHealthOf(tallied),
    previous: previous && {
      ...{ version: previous.version, ageHours: previous.age, health: previous.health },
    },
  }
}

/** Days of which failures are shown: those of the chart of a release. */
const FAILURE_DAYS = 30
const DAY = 24 * HOUR

/** Returns failed devices by the end of each UTC day since the offer, 30 at most. Needs the role `viewer`. Throws `unknown`. */
export async function failuresByDay(
  { catalog, fleet }: HealthParts,
  principal: Principal,
  { version, ...place }: ChannelPlace & { readonly version: string },
): Promise<DailyFailures> {
  const channel = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const { id } = requireRelease(channel, version).facts
  const now = catalog.now()
  const own = await fleet.releaseHealth(id, now)
  if (own === null) return []
  const today = Math.floor(now / DAY) * DAY
  const first = Math.max(Math.floor(own.offeredAt / DAY) * DAY, today - (FAILURE_DAYS - 1) * DAY)
  const days = Array.from({ length: (today - first) / DAY }, (_, index) => first + index * DAY)
  const past = days.map(async (day) => {
    const sample = await fleet.healthAt(id, Math.floor((day + DAY - own.offeredAt) / HOUR))
    return { at: new Date(day).toISOString(), failed: sample === null ? 0 : failedOf(sample) }
  })
  const latest = { at: new Date(today).toISOString(), failed: failedOf(own.health) }
  return [...(await Promise.all(past)), latest]
}

/** Returns what was counted of sessions as people see it; null if nothing was. */
function sessionHealthOf({ networks, registers }: SessionTallies): SessionHealth | null {
  if (networks.length === 0) return null
  const sum = sumOf(networks)
  const ended = endedOf(sum)
  const ranks = (crashed: 0 | 1) =>
    registers.filter((each) => each.crashed === crashed).map(({ rank }) => rank)
  const devices = devicesIn(ranks(0))
  return {
    ...{ ...sum, ended, networks: networks.length },
    crashFreePct: ended === 0 ? null : (1 - sum.crashed / ended) * 100,
    crashFreeAtLeastPct: ended === 0 ? null : crashFreeOf(networks).all.atLeastPct,
    devices: registers.length === 0 ? null : devices,
    crashedDevices: registers.length === 0 ? null : Math.min(devices, devicesIn(ranks(1))),
  }
}
