import type { CompiledChannel, CompiledRelease } from '../decision/channel.ts'
import { compileChannel } from '../decision/compile.ts'
import type { AppRecord, CatalogReads, ChannelRecord, KeyRecord, ReleaseRecord } from './store.ts'

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

/** The whole catalog at one revision. Immutable: a change makes a new one. */
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

/**
 * Reads the catalog and compiles it. Channels whose revision is that of `previous` are taken over
 * from it, so that a change costs as much as the channel that it touches.
 */
export async function loadSnapshot(store: CatalogReads, previous?: Snapshot): Promise<Snapshot> {
  // Read first, so that a change made while the releases are read is found by the next check.
  const outline = await store.outline()
  const { revision, apps: appRecords, channels: channelRecords, keys: apiKeys } = outline
  const apps = appRecords.map((record) => ({ record, channels: new Map<string, CatalogChannel>() }))
  const appByKey = new Map(apps.map((app) => [app.record.key, app]))
  const channelByKey = new Map<number, CatalogChannel>()
  for (const record of channelRecords) {
    const app = appByKey.get(record.appKey)
    if (app === undefined) continue
    const channel = await loadChannel(store, app.record, record, previous)
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

async function loadChannel(
  store: CatalogReads,
  app: AppRecord,
  record: ChannelRecord,
  previous: Snapshot | undefined,
): Promise<CatalogChannel> {
  const known = previous?.channelByKey.get(record.key)
  if (known?.record.revision === record.revision) return { ...known, app, record }
  const unchanged = known?.compiled.releases.map((release) => release.facts) ?? []
  const changed = await store.releasesOf(record.key, known?.record.revision ?? 0)
  const releases = new Map(unchanged.map((release) => [release.id, release]))
  for (const release of changed) releases.set(release.id, release)
  const compiled = compileChannel(record.policy, [...releases.values()], known?.compiled)
  return { app, record, compiled }
}
