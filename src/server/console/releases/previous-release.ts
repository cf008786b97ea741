import type { ReleasePlace } from '../../../shared/console/releases.ts'
import { requireChannel, unknownRelease } from '../../catalog/catalog.ts'
import { newestFirst } from '../../catalog/show-release.ts'
import type { ServedRelease } from '../../catalog/snapshot.ts'
import { findApp } from '../../updates/principal.ts'
import type { ConsoleContext } from '../context.ts'

/**
 * Returns the version that the channel served before a release: of the lower ones that were published earlier, the
 * highest that devices were offered and that was not rolled back, or else simply the highest. Null if there is none
 * at all. Throws the refusals `unknown`.
 */
export async function previousRelease(
  { catalog, principal }: Pick<ConsoleContext, 'catalog' | 'principal'>,
  place: ReleasePlace,
): Promise<string | null> {
  const app = findApp(await catalog.refresh(), principal, place.app, 'viewer')
  const channel = requireChannel(app, place.channel)
  const { releases } = channel.compiled
  const index = releases.findIndex(({ facts }) => facts.version === place.version)
  const own = releases[index]
  if (own === undefined) throw unknownRelease(channel, place.version)
  const earlier = releases.slice(0, index).filter(({ facts }) => newestFirst(facts, own.facts) > 0)
  const previous = earlier.findLast(wasServed) ?? earlier.at(-1)
  return previous?.facts.version ?? null
}

function wasServed({ facts }: ServedRelease): boolean {
  return facts.offered && facts.status !== 'rolled_back'
}
