import { onTestFinished } from 'vitest'
import { createApp } from '../../../src/server/catalog/apps.ts'
import { Catalog } from '../../../src/server/catalog/catalog.ts'
import type { ReleaseRecord } from '../../../src/server/catalog/records.ts'
import { publishRelease } from '../../../src/server/catalog/releases/publish.ts'
import type { CatalogChannel } from '../../../src/server/catalog/snapshot.ts'
import { attachStorage } from '../../../src/server/storage/open-storage.ts'
import { dataFile } from '../../../src/server/storage/sqlite/database.ts'
import {
  createSqliteCatalogStore,
  type SqliteCatalogStore,
} from '../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import type { ChannelPolicy } from '../../../src/shared/releases/channel.ts'
import { PublishBody } from '../../../src/shared/releases/release.ts'
import { ACTOR } from '../builders/actor.ts'
import { preparedFolder } from '../builders/folders.ts'
import { publishBody } from '../builders/releases.ts'
import { databaseOf } from './engine.ts'

/** A policy of which every field differs from what a new channel has. */
export const OTHER_POLICY: ChannelPolicy = {
  updateMode: 'required',
  minimumSupportedVersion: '9.0.0',
  rollback: 'roll-forward',
  requireApproval: true,
  proving: 'warn',
  uncheckedSignatures: ['sparkle'],
  earlyAccess: { deviceIds: ['one'], targets: [] },
  manualChecks: true,
  countNewDevices: true,
  preflight: 'required',
  acceptedFindings: [{ code: 'no_file', reason: 'No longer supported' }],
}

export interface TestCatalog {
  readonly catalog: Catalog
  readonly store: SqliteCatalogStore
}

/** The catalog of a data folder on connections of its own, as each process has it. */
export async function openCatalog(
  folder: string,
  onReloadFailure?: (error: unknown) => void,
): Promise<TestCatalog> {
  const store = createSqliteCatalogStore(dataFile(folder))
  const catalog = await Catalog.open(store, onReloadFailure)
  onTestFinished(() => {
    catalog.stop()
    store.close()
  })
  return { catalog, store }
}

/** The catalog of a server's data as a command has it beside the server, on the engine of the run. */
export async function openElsewhere(folder: string): Promise<Catalog> {
  const storage = await attachStorage({ dataFolder: folder, database: await databaseOf(folder) })
  const catalog = await Catalog.open(storage.catalog)
  onTestFinished(async () => {
    catalog.stop()
    await storage.close()
  })
  return catalog
}

/** Two catalogs of one folder that both know the app `editor`. */
export async function openTwo(): Promise<{ here: Catalog; there: Catalog }> {
  const folder = preparedFolder()
  const { catalog: here } = await openCatalog(folder)
  await createApp(here, ACTOR, { ref: 'editor' })
  const { catalog: there } = await openCatalog(folder)
  return { here, there }
}

/** The channel `stable` of `editor` as a catalog sees it now. */
export function stableOf(catalog: Catalog): CatalogChannel {
  const channel = catalog.snapshot.appByName.get('editor')?.channels.get('stable')
  if (channel === undefined) throw new Error('editor/stable is not in the catalog')
  return channel
}

/** Publishes a release on `editor/stable`; `members` change the body. */
export function publishOn(
  catalog: Catalog,
  version: string,
  members: Readonly<Record<string, unknown>> = {},
): Promise<ReleaseRecord> {
  const body = PublishBody.parse(publishBody(version, members))
  return publishRelease(catalog, ACTOR, stableOf(catalog), body)
}

/** A release as a catalog sees it now. */
export function releaseOf(catalog: Catalog, version: string): ReleaseRecord | undefined {
  return stableOf(catalog).compiled.releases.find(({ facts }) => facts.version === version)?.facts
}
