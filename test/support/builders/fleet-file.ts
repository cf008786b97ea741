import { readFileSync, writeFileSync } from 'node:fs'
import { createApp, createChannel } from '../../../src/server/catalog/apps.ts'
import { Catalog } from '../../../src/server/catalog/catalog.ts'
import { dataFile } from '../../../src/server/storage/sqlite/database.ts'
import { createSqliteCatalogStore } from '../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { ACTOR } from './actor.ts'
import { preparedFolder, temporaryFolder } from './folders.ts'

/** Keys of the apps and channels that `makeFleetFile` makes. */
export interface FleetFile {
  readonly file: string
  readonly folder: string
  readonly editor: number
  readonly player: number
  /** Channels of `editor`. */
  readonly stable: number
  readonly beta: number
  /** The channel `stable` of `player`. */
  readonly playerStable: number
}

/** Makes a database of its own with two apps and no telemetry, gone after the test. */
export async function makeFleetFile(): Promise<FleetFile> {
  made ??= make()
  const { content, keys } = await made
  const folder = temporaryFolder()
  const file = dataFile(folder)
  writeFileSync(file, content, { mode: 0o600 })
  return { file, folder, ...keys }
}

/** Kept, because every migration and every change takes its time. */
let made: ReturnType<typeof make> | undefined

async function make() {
  const file = dataFile(preparedFolder())
  const store = createSqliteCatalogStore(file)
  const catalog = await Catalog.open(store)
  const editor = await createApp(catalog, ACTOR, { ref: 'editor' })
  const beta = await createChannel(catalog, ACTOR, { app: 'editor', name: 'beta' })
  const player = await createApp(catalog, ACTOR, { ref: 'player' })
  const stableOf = (ref: string) =>
    catalog.snapshot.appByName.get(ref)?.channels.get('stable')?.record.key ?? 0
  const keys = { editor: editor.key, player: player.key, beta: beta.key }
  const channels = { stable: stableOf('editor'), playerStable: stableOf('player') }
  await store.close()
  return { content: readFileSync(file), keys: { ...keys, ...channels } }
}
