import type { z } from 'zod'
import type { ReleaseListInput, ReleaseListPage } from '../../../shared/console/releases.ts'
import { requireChannel } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import { newestFirst } from '../../catalog/newest.ts'
import type { CatalogApp, CatalogChannel, Snapshot } from '../../catalog/snapshot.ts'
import type { ReleaseRecord } from '../../catalog/store.ts'
import type { ConsoleContext } from '../context.ts'
import { presenceOf } from '../fleet/presence.ts'
import { findApp } from '../lookup.ts'

type Input = z.output<typeof ReleaseListInput>
type Page = z.output<typeof ReleaseListPage>

interface Found {
  readonly channel: CatalogChannel
  readonly release: ReleaseRecord
}

/** A page of the releases, newest first, all of it from memory. Archived apps show when named. */
export async function listReleases(ctx: ConsoleContext, input: Input): Promise<Page> {
  const snapshot = await ctx.catalog.refresh()
  const wanted = matcherOf(input)
  const found = channelsOf(snapshot, input)
    .flatMap((channel) =>
      channel.compiled.releases.map(({ facts }): Found => ({ channel, release: facts })),
    )
    .filter(({ release }) => wanted(release))
    .sort((one, other) => newestFirst(one.release, other.release))
  const { page, perPage } = input
  const shown = found.slice((page - 1) * perPage, page * perPage)
  return {
    releases: await showAll(ctx, shown),
    page,
    pageCount: Math.ceil(found.length / perPage),
    total: found.length,
  }
}

function channelsOf(snapshot: Snapshot, { app, channel }: Input): CatalogChannel[] {
  if (app !== undefined) {
    const named = findApp(snapshot, app)
    return channel === undefined ? [...named.channels.values()] : [requireChannel(named, channel)]
  }
  const active = ({ record }: CatalogApp) => record.archivedAt === null
  const channels = snapshot.apps.filter(active).flatMap((one) => [...one.channels.values()])
  if (channel === undefined) return channels
  const named = channels.filter(({ record }) => record.name === channel)
  if (named.length === 0) throw new Refusal({ code: 'unknown_channel', app: null, channel })
  return named
}

function matcherOf({ status, search = '' }: Input): (release: ReleaseRecord) => boolean {
  const text = search.trim().toLowerCase()
  return (release) => {
    if (status !== undefined && release.status !== status) return false
    if (text === '' || release.version.toLowerCase().includes(text)) return true
    return release.notes.toLowerCase().includes(text)
  }
}

async function showAll(ctx: ConsoleContext, found: readonly Found[]): Promise<Page['releases']> {
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
