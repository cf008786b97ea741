import type { ReleasePlace } from '../../../shared/console/releases.ts'
import { requireChannel, unknownRelease } from '../../catalog/catalog.ts'
import { newestFirst } from '../../catalog/releases/show-release.ts'
import { previousRelease } from '../../use-cases/fleet/previous-release.ts'
import { findApp } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'

/**
 * Returns the version to compare a release with: the previous one, also by offers to devices without an ID, which no
 * counter has; or else the highest of the lower ones that were published earlier. Null if there is none at all. Throws the
 * refusals `unknown`.
 */
export async function previousVersion(
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
  const isEarlier = new Set(earlier.map(({ facts }) => facts.id))
  const previous = previousRelease(
    channel,
    own.facts.id,
    ({ id, offered }) => offered && isEarlier.has(id),
  )
  return (previous ?? earlier.at(-1)?.facts)?.version ?? null
}
