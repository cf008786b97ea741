import type { z } from 'zod'
import type { ReleaseListInput, ReleaseListPage } from '../../../shared/console/releases.ts'
import { presenceOf } from '../../use-cases/fleet/presence.ts'
import type { ReleaseAt } from '../../use-cases/releases/list-releases.ts'
import type { ConsoleContext } from '../context.ts'

type Page = z.output<typeof ReleaseListPage>

/** Returns a page of the releases, latest first, and how many devices run each. */
export async function releaseListPage(
  ctx: ConsoleContext,
  input: z.output<typeof ReleaseListInput>,
): Promise<Page> {
  const { releases, ...page } = await ctx.updates.listReleases(ctx.principal, input)
  return { releases: await showAll(ctx, releases), ...page }
}

async function showAll(
  ctx: ConsoleContext,
  found: readonly ReleaseAt[],
): Promise<Page['releases']> {
  const appKeys = [...new Set(found.map(({ channel }) => channel.app.key))]
  const presences = await Promise.all(appKeys.map((appKey) => presenceOf(ctx, appKey)))
  const presenceByApp = new Map(appKeys.map((appKey, index) => [appKey, presences[index]]))
  return found.map(({ channel, release }) => {
    const { version, status, rolloutPct, targets, offered, createdAt } = release
    const name = channel.record.name
    const { matchLabels, matchExpressions } = targets
    return {
      app: channel.app.ref,
      channel: name,
      version,
      status,
      rolloutPct,
      targeted: Object.keys(matchLabels).length > 0 || matchExpressions.length > 0,
      offered,
      createdAt,
      artifacts: release.artifacts.length,
      devices: presenceByApp.get(channel.app.key)?.devicesOn(name, version) ?? 0,
    }
  })
}
