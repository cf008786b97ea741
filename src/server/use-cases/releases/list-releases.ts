import type { Release, ReleaseStatus } from '../../../shared/releases/release.ts'
import { requireChannel, unknownRelease } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { ReleasePageQuery } from '../../catalog/queries.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import { newestFirst, showRelease } from '../../catalog/releases/show-release.ts'
import type { CatalogApp, CatalogChannel, Snapshot } from '../../catalog/snapshot.ts'
import type { WithCatalog } from '../bind.ts'
import {
  activeChannels,
  type ChannelPlace,
  findApp,
  findChannel,
  type Principal,
  visibleApps,
} from '../principal.ts'

export interface ReleaseQuery {
  readonly app?: string | undefined
  readonly channel?: string | undefined
  readonly status?: ReleaseStatus | undefined
  /** Part of the version or of the notes, in either case. */
  readonly search?: string | undefined
  /** From 1. */
  readonly page: number
  readonly perPage: number
  /** The ID of a release in the list: the pages are of what comes after it, whatever is published meanwhile. */
  readonly cursor?: string | undefined
}

export interface ReleaseAt {
  readonly channel: CatalogChannel
  readonly release: ReleaseRecord
}

export interface ReleasePage {
  readonly releases: readonly ReleaseAt[]
  readonly page: number
  readonly pageCount: number
  readonly total: number
}

/**
 * Returns a page of the releases that the principal sees, newest first (docs/api.md, "List releases").
 * Releases of archived apps are listed if the principal sees the app and names it. Needs the role `viewer` in the
 * app that is named. Throws `unknown`, and `invalid_input` for a cursor that is not in the list.
 */
export async function listReleases(
  parts: WithCatalog,
  principal: Principal,
  query: ReleaseQuery,
): Promise<ReleasePage> {
  const snapshot = await parts.catalog.refresh()
  const { page, perPage } = query
  const span = { limit: perPage, offset: (page - 1) * perPage }
  const named =
    query.app === undefined ? undefined : findApp(snapshot, principal, query.app, 'viewer')
  const after = afterCursor(query, () => channelsOf(snapshot, principal, named, query))
  const stored = storedFilter(principal, named, query)
  const { releases, total } =
    stored === undefined
      ? pageFromMemory(channelsOf(snapshot, principal, named, query), query, span, after)
      : await pageFromStore(parts, { ...stored, ...span, ...after })
  return { releases, page, pageCount: Math.ceil(total / perPage), total }
}

/** Returns a release as it is stored (docs/api.md, "Show a release"). Needs the role `viewer`. Throws `unknown`. */
export async function getRelease(
  { catalog }: WithCatalog,
  principal: Principal,
  { version, ...place }: ChannelPlace & { readonly version: string },
): Promise<Release> {
  const channel = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const release = await catalog.store.release(channel.record.key, version)
  if (release === undefined) throw unknownRelease(channel, version)
  return showRelease(channel, release)
}

type Span = Pick<ReleasePageQuery, 'limit' | 'offset'>
type After = Pick<ReleasePageQuery, 'afterCreatedAt' | 'afterId'>
type StoredFilter = Omit<ReleasePageQuery, keyof Span | keyof After>
type Page = Pick<ReleasePage, 'releases' | 'total'>

/** The query for the store, which pages without looking at every release; undefined if it cannot answer. */
function storedFilter(
  { access, seesArchived }: Principal,
  named: CatalogApp | undefined,
  { channel, status, search }: ReleaseQuery,
): StoredFilter | undefined {
  if (seesArchived || status !== undefined || search !== undefined) return undefined
  if (named === undefined) {
    // Of one name in several apps: the store knows channels one by one, and apps too.
    if (channel !== undefined) return undefined
    if (access.server !== null) return {}
    const [appKey, ...others] = access.apps.keys()
    return appKey === undefined || others.length > 0 ? undefined : { appKey }
  }
  return channel === undefined
    ? { appKey: named.record.key }
    : { channelKey: requireChannel(named, channel).record.key }
}

async function pageFromStore({ catalog }: WithCatalog, query: ReleasePageQuery): Promise<Page> {
  const { releases, total } = await catalog.store.releasePage(query)
  // The store may have more than the snapshot.
  const { channelByKey } = await catalog.refresh()
  const found = releases.flatMap((release) => {
    const channel = channelByKey.get(release.channelKey)
    // Removed after the page was read.
    return channel === undefined ? [] : [{ channel, release }]
  })
  return { releases: found, total }
}

/** Returns the place of the cursor in the order of lists; empty without one. Throws `invalid_input`. */
function afterCursor(
  { cursor, page }: ReleaseQuery,
  channels: () => readonly CatalogChannel[],
): After {
  if (cursor === undefined) return {}
  const wrong = (reason: string) => new Refusal({ code: 'invalid_input', path: ['cursor'], reason })
  if (page !== 1) throw wrong('must not be used together with page')
  const { facts } =
    channels()
      .flatMap(({ compiled }) => compiled.releases)
      .find((release) => release.facts.id === cursor) ?? {}
  if (facts === undefined) throw wrong('must be the id of a release in this list')
  return { afterCreatedAt: facts.createdAt, afterId: facts.id }
}

function pageFromMemory(
  channels: readonly CatalogChannel[],
  query: ReleaseQuery,
  { limit, offset }: Span,
  { afterCreatedAt, afterId }: After,
): Page {
  const isWanted = matcherOf(query)
  const found = channels
    .flatMap((channel) =>
      channel.compiled.releases.map(({ facts }) => ({ channel, release: facts })),
    )
    .filter(({ release }) => isWanted(release))
    .sort((one, other) => newestFirst(one.release, other.release))
  const rest =
    afterCreatedAt === undefined || afterId === undefined
      ? found
      : found.filter(
          ({ release }) => newestFirst({ createdAt: afterCreatedAt, id: afterId }, release) < 0,
        )
  return { releases: rest.slice(offset, offset + limit), total: found.length }
}

/** Returns the channels that a list of the principal is about. Needs the role `viewer` in the app that is named. */
export function listedChannels(
  snapshot: Snapshot,
  principal: Principal,
  { app, channel }: Pick<ReleaseQuery, 'app' | 'channel'>,
): CatalogChannel[] {
  const named = app === undefined ? undefined : findApp(snapshot, principal, app, 'viewer')
  return channelsOf(snapshot, principal, named, { channel })
}

function channelsOf(
  snapshot: Snapshot,
  principal: Principal,
  named: CatalogApp | undefined,
  { channel }: Pick<ReleaseQuery, 'channel'>,
): CatalogChannel[] {
  if (named !== undefined) {
    return channel === undefined ? [...named.channels.values()] : [requireChannel(named, channel)]
  }
  const channels = activeChannels(visibleApps(snapshot, principal))
  if (channel === undefined) return channels
  const ofThatName = channels.filter(({ record }) => record.name === channel)
  if (ofThatName.length === 0) throw new Refusal({ code: 'unknown_channel', app: null, channel })
  return ofThatName
}

function matcherOf({ status, search = '' }: ReleaseQuery): (release: ReleaseRecord) => boolean {
  const text = search.trim().toLowerCase()
  return (release) => {
    if (status !== undefined && release.status !== status) return false
    if (text === '' || release.version.toLowerCase().includes(text)) return true
    return release.notes.toLowerCase().includes(text)
  }
}
