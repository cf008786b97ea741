import { type Attention, MAX_ATTENTION } from '../../../shared/console/overview.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import type { CatalogApp, CatalogChannel } from '../../catalog/snapshot.ts'
import {
  countedOf,
  measureWeighed,
  NO_TALLIES,
  type WeighedEvidence,
} from '../../rules/judging/judge-weighed.ts'
import { roundedOf } from '../../rules/judging/tallies.ts'
import { countedPair } from '../../use-cases/fleet/previous-release.ts'
import { activeChannels } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'

type Failing = Pick<Attention, 'failing' | 'moreFailing'>
type Item = Attention['failing'][number]

/** Milliseconds for which a release that was rolled back because of its failures is shown: 7 days. */
const SHOWN = 7 * 24 * 60 * 60_000

/** Milliseconds after which it is shown that the steps of a plan wait because of failures: a day. */
const HELD = 24 * 60 * 60_000

interface Found {
  readonly channel: CatalogChannel
  readonly release: ReleaseRecord
}

/** Returns failing releases: stopped ones until a person decided, those without a plan, and those whose plans wait. */
export async function failingReleases(
  {
    catalog,
    fleet,
    failingReleases: watched,
    controlOf,
  }: Pick<ConsoleContext, 'catalog' | 'fleet' | 'failingReleases' | 'controlOf'>,
  apps: readonly CatalogApp[],
): Promise<Failing> {
  const releases = releasesOf(apps)
  const now = catalog.now()
  const stopped = (await catalog.store.plans(['stopped'])).flatMap((plan) => {
    const { releaseId, stopReasons, since, plan: limits } = plan
    const found = releases.get(releaseId)
    if (found === undefined || stopReasons === null) return []
    const { status } = found.release
    // Where the plan only pauses, a person rolled it back.
    const isWithdrawn = status === 'rolled_back' && limits.onFailure === 'rollback'
    // Resumed or not: nothing stops it by itself while its plan is stopped.
    const isShown = status !== 'rolled_back' || (isWithdrawn && now - Date.parse(since) <= SHOWN)
    return isShown ? [{ ...found, stopReasons, since }] : []
  })
  const isStopped = new Set(stopped.map(({ release }) => release.id))
  const held = (await catalog.store.plans(['running'])).flatMap((plan) => {
    const found = releases.get(plan.releaseId)
    const since = plan.suspectedSince
    const isLong = since !== null && now - Date.parse(since) >= HELD
    return found === undefined || !isLong ? [] : [{ ...found, plan }]
  })
  const live = (await watched()).flatMap(({ releaseId, reasons, health }) => {
    const found = releases.get(releaseId)
    return found?.release.status === 'published' && !isStopped.has(releaseId)
      ? [{ ...found, reasons, health }]
      : []
  })
  stopped.sort((one, other) => (one.since < other.since ? 1 : -1))
  const devicesOf = async ({ channel, release }: Found) => {
    const { own, previous } = await countedPair(fleet, channel, release.id, now)
    const tallies = {
      ...{ tallies: own?.tallies ?? NO_TALLIES, previous: previous?.tallies ?? null },
      countsNew: channel.record.policy.countNewDevices,
    }
    return { tallies, health: roundedOf(countedOf(tallies).observed).health }
  }
  const shown = stopped.map(({ stopReasons, since, ...found }) => async (): Promise<Item> => {
    const reasons = [...stopReasons]
    const { health } = await devicesOf(found)
    return { ...placeOf(found), reasons, health, stoppedAt: since, isHeld: false }
  })
  const waiting = held.map(({ plan, ...found }) => async (): Promise<Item> => {
    const { tallies, health } = await devicesOf(found)
    const { accepted, plan: limits } = plan
    const control = controlOf(found.release.id)
    const evidence: WeighedEvidence = {
      ...{ ...tallies, accepted, limits, control, gone: null, activity: null },
    }
    const measured = { code: 'too_many_failures', ...measureWeighed(evidence) } as const
    return { ...placeOf(found), reasons: [measured], health, stoppedAt: null, isHeld: true }
  })
  const warned = live.map(({ reasons, health, ...found }) => async (): Promise<Item> => {
    return { ...placeOf(found), reasons: [...reasons], health, stoppedAt: null, isHeld: false }
  })
  const all = [...shown, ...warned, ...waiting]
  return {
    failing: await Promise.all(all.slice(0, MAX_ATTENTION).map((item) => item())),
    moreFailing: Math.max(0, all.length - MAX_ATTENTION),
  }
}

function releasesOf(apps: readonly CatalogApp[]): ReadonlyMap<string, Found> {
  return new Map(
    activeChannels(apps).flatMap((channel) =>
      channel.compiled.releases.map(({ facts }) => [facts.id, { channel, release: facts }]),
    ),
  )
}

function placeOf({ channel, release: { version, status } }: Found) {
  return { app: channel.app.ref, channel: channel.record.name, version, status }
}
