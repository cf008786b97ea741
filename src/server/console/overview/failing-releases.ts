import { type Attention, MAX_ATTENTION } from '../../../shared/console/overview.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import type { CatalogApp, CatalogChannel } from '../../catalog/snapshot.ts'
import { countedOf, NO_TALLIES } from '../../judging/judge-weighed.ts'
import { roundedOf } from '../../judging/tallies.ts'
import { countedPair } from '../../use-cases/fleet/previous-release.ts'
import { activeChannels } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'

type Failing = Pick<Attention, 'failing' | 'moreFailing'>
type Item = Attention['failing'][number]

/** Milliseconds for which a release that was rolled back because of its failures is shown: 7 days. */
const SHOWN = 7 * 24 * 60 * 60_000

interface Found {
  readonly channel: CatalogChannel
  readonly release: ReleaseRecord
}

/**
 * Returns the releases that failed on too many devices: those that the server stopped, until a person decided what becomes
 * of them, and those that no plan is responsible for.
 */
export async function failingReleases(
  {
    catalog,
    fleet,
    failingReleases: watched,
  }: Pick<ConsoleContext, 'catalog' | 'fleet' | 'failingReleases'>,
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
  const live = (await watched()).flatMap(({ releaseId, reasons, health }) => {
    const found = releases.get(releaseId)
    return found?.release.status === 'published' && !isStopped.has(releaseId)
      ? [{ ...found, reasons, health }]
      : []
  })
  stopped.sort((one, other) => (one.since < other.since ? 1 : -1))
  const shown = stopped
    .slice(0, MAX_ATTENTION)
    .map(async ({ stopReasons, since, ...found }): Promise<Item> => {
      const { channel, release } = found
      const { own, previous } = await countedPair(fleet, channel, release.id, now)
      const { observed } = countedOf({
        ...{ tallies: own?.tallies ?? NO_TALLIES, previous: previous?.tallies ?? null },
        countsNew: channel.record.policy.countNewDevices,
      })
      const { health } = roundedOf(observed)
      return { ...placeOf(found), reasons: [...stopReasons], health, stoppedAt: since }
    })
  const warned = live.map(({ reasons, health, ...found }): Item => {
    return { ...placeOf(found), reasons: [...reasons], health, stoppedAt: null }
  })
  return {
    failing: [...(await Promise.all(shown)), ...warned].slice(0, MAX_ATTENTION),
    moreFailing: Math.max(0, stopped.length + warned.length - MAX_ATTENTION),
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
