import type { z } from 'zod'
import type {
  ReleaseDetail,
  ReleaseListInput,
  ReleaseListPage,
  ReleasePlace,
} from '../../../shared/console/releases/releases.ts'
import { requireChannel, requireRelease } from '../../catalog/catalog.ts'
import { showRelease } from '../../catalog/releases/show-release.ts'
import { undoableStop } from '../../catalog/releases/stop.ts'
import { historyOf } from '../../catalog/seen-changes.ts'
import { platformsOf } from '../../fleet/charts/breakdown.ts'
import { presenceOf } from '../../use-cases/fleet/presence.ts'
import { findApp } from '../../use-cases/principal.ts'
import type { ReleaseAt } from '../../use-cases/releases/list-releases.ts'
import type { ConsoleContext } from '../context.ts'

/** Most changes that a release's history shows. */
const MAX_HISTORY = 200

/** A release, who runs it and what happened to it. Throws the refusal `unknown`. */
export async function releaseDetail(
  ctx: ConsoleContext,
  place: ReleasePlace,
): Promise<ReleaseDetail> {
  const { catalog } = ctx
  findApp(await catalog.refresh(), ctx.principal, place.app, 'viewer')
  const { lastChange, history } = await historyOf(catalog.store, place, MAX_HISTORY)
  const app = findApp(await catalog.refresh(), ctx.principal, place.app, 'viewer')
  const channel = requireChannel(app, place.channel)
  const { version } = place
  const release = requireRelease(channel, version).facts
  const [counted, recent] = await Promise.all([
    ctx.fleet.platformsOn(channel.record.key, version),
    ctx.recentDevices.get(),
  ])
  const platforms = platformsOf(counted)
  return {
    release: showRelease(channel, release),
    devices: platforms.reduce((total, { devices }) => total + devices, 0),
    platforms,
    seenLast7Days: recent.get(channel.record.key)?.byVersion.get(version) ?? 0,
    archived: app.record.archivedAt !== null,
    awaitsProof: release.awaitsProof,
    requiresApproval: channel.record.policy.requireApproval,
    lastChange,
    undoableStop: await undoableStop(catalog.store, {
      actor: ctx.principal.actor,
      channel,
      version,
    }),
    channelRevision: channel.record.revision,
    // The log also has changes of a removed app or channel that had the same name.
    history: history.filter(({ at }) => at >= release.createdAt),
  }
}

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
