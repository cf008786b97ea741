import type { CompiledChannel, CompiledRelease } from '../rules/decision/channel.ts'
import { compileChannel } from '../rules/decision/compile.ts'
import type { AppRecord, ChannelRecord, KeyRecord, ReleaseRecord } from './records.ts'
import type { CatalogChanges } from './store.ts'

export type ServedRelease = CompiledRelease<ReleaseRecord>

/** A channel as requests see it: its record and its releases, compiled for deciding. */
export interface CatalogChannel {
  readonly app: AppRecord
  readonly record: ChannelRecord
  readonly compiled: CompiledChannel<ReleaseRecord>
}

export interface CatalogApp {
  readonly record: AppRecord
  /** By name, oldest channel first. */
  readonly channels: ReadonlyMap<string, CatalogChannel>
}

/** The complete catalog at one revision. Immutable: a change makes a new one. */
export interface Snapshot {
  readonly revision: number
  /** Oldest first. */
  readonly apps: readonly CatalogApp[]
  /** Each app twice, by `ref` and by `id`; those that are archived are not in it. */
  readonly appByName: ReadonlyMap<string, CatalogApp>
  readonly appByKey: ReadonlyMap<number, CatalogApp>
  readonly channelByKey: ReadonlyMap<number, CatalogChannel>
  readonly apiKeys: readonly KeyRecord[]
  /** API keys by the SHA-256 of the key, in hex. */
  readonly apiKeyByHash: ReadonlyMap<string, KeyRecord>
}

/** The catalog before anything was read. */
export const EMPTY_SNAPSHOT: Snapshot = {
  revision: 0,
  apps: [],
  appByName: new Map(),
  appByKey: new Map(),
  channelByKey: new Map(),
  apiKeys: [],
  apiKeyByHash: new Map(),
}

/** The snapshot after the changes since `previous`. Unchanged channels are taken over, so a change costs as much as its channel. */
export function applyChanges(previous: Snapshot, changes: CatalogChanges): Snapshot {
  const { revision, keys: apiKeys } = changes
  const apps = changes.apps.map((record) => ({
    record,
    channels: new Map<string, CatalogChannel>(),
  }))
  const appByKey = new Map(apps.map((app) => [app.record.key, app]))
  const releases = Map.groupBy(changes.releases, ({ channelKey }) => channelKey)
  const channelByKey = new Map<number, CatalogChannel>()
  for (const record of changes.channels) {
    const app = appByKey.get(record.appKey)
    if (app === undefined) continue
    const known = previous.channelByKey.get(record.key)
    const channel = compiledWith(app.record, record, releases.get(record.key) ?? [], known)
    app.channels.set(record.name, channel)
    channelByKey.set(record.key, channel)
  }
  const active = apps.filter(({ record }) => record.archivedAt === null)
  return {
    revision,
    apps,
    appByName: new Map(
      active.flatMap((app) => [
        [app.record.id, app],
        [app.record.ref, app],
      ]),
    ),
    appByKey,
    channelByKey,
    apiKeys,
    apiKeyByHash: new Map(apiKeys.map((key) => [key.hash, key])),
  }
}

function compiledWith(
  app: AppRecord,
  record: ChannelRecord,
  changed: readonly ReleaseRecord[],
  known: CatalogChannel | undefined,
): CatalogChannel {
  if (known?.record.revision === record.revision) return { ...known, app, record }
  const unchanged = known?.compiled.releases.map((release) => release.facts) ?? []
  const releases = new Map(unchanged.map((release) => [release.id, release]))
  for (const release of changed) releases.set(release.id, release)
  const compiled = compileChannel(record.policy, [...releases.values()], known?.compiled)
  return { app, record, compiled }
}

/**
 * Returns the releases that devices can be offered, highest version first, of releases in ascending order.
 * Ends at the first release for all devices, because no lower one is offered; a release without artifacts
 * is offered to none.
 */
export function liveReleases(published: readonly ServedRelease[]): ServedRelease[] {
  const offered = published.filter(({ facts }) => facts.artifacts.length > 0).reverse()
  const forAll = offered.findIndex(
    ({ facts, targets }) => facts.rolloutPct === 100 && targets === null,
  )
  return forAll === -1 ? offered : offered.slice(0, forAll + 1)
}

/** Returns the releases of a channel whose artifacts matter to devices: live, or paused until they are proven. */
export function releasesToProve({ compiled }: CatalogChannel): ServedRelease[] {
  const { releases, published } = compiled
  return [...liveReleases(published), ...releases.filter(({ facts }) => facts.awaitsProof)]
}
