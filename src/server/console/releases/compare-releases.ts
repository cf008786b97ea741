import type {
  ComparedRelease,
  CompareInput,
  ReleaseComparison,
  ReleaseOnChannel,
} from '../../../shared/console/releases.ts'
import { requireChannel, unknownRelease } from '../../catalog/catalog.ts'
import { showRelease } from '../../catalog/releases/show-release.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import { type AppPresence, presenceOf } from '../../use-cases/fleet/presence.ts'
import { findApp } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'

/**
 * Returns two releases of an app as of one moment of the catalog. Throws the refusals `unknown` for the app and
 * for `to`: the other one is only what it is compared with.
 */
export async function compareReleases(
  ctx: ConsoleContext,
  { app: ref, from, to }: CompareInput,
): Promise<ReleaseComparison> {
  const app = findApp(await ctx.catalog.refresh(), ctx.principal, ref, 'viewer')
  const presence = await presenceOf(ctx, app.record.key)
  const compared = comparedOn(app, presence, to)
  if (compared === null) throw unknownRelease(requireChannel(app, to.channel), to.version)
  return { from: comparedOn(app, presence, from), to: compared }
}

function comparedOn(
  app: CatalogApp,
  presence: AppPresence,
  { channel: name, version }: ReleaseOnChannel,
): ComparedRelease | null {
  const channel = app.channels.get(name)
  const found = channel?.compiled.releases.find(({ facts }) => facts.version === version)
  if (channel === undefined || found === undefined) return null
  return {
    release: showRelease(channel, found.facts),
    devices: presence.devicesOn(name, version),
  }
}
