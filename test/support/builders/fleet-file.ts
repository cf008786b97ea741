import { onTestFinished } from 'vitest'
import { createApp, createChannel } from '../../../src/server/catalog/apps.ts'
import { Catalog } from '../../../src/server/catalog/catalog.ts'
import { createSqliteCatalogStore } from '../../../src/server/storage/catalog/catalog-store.ts'
import {
  type Connection,
  dataFile,
  openDatabase,
} from '../../../src/server/storage/sqlite/database.ts'
import { prepareDatabase } from '../../../src/server/storage/sqlite/prepare.ts'
import { ACTOR, temporaryFolder } from '../servers/server.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

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

/** A database of its own with two apps and no telemetry, gone after the test. */
export async function makeFleetFile(): Promise<FleetFile> {
  const folder = temporaryFolder()
  prepareDatabase(folder, { lockHeld: false })
  const file = dataFile(folder)
  const store = createSqliteCatalogStore(file)
  const catalog = await Catalog.open(store)
  const editor = await createApp(catalog, ACTOR, { ref: 'editor' })
  const beta = await createChannel(catalog, ACTOR, { app: 'editor', name: 'beta' })
  const player = await createApp(catalog, ACTOR, { ref: 'player' })
  const stableOf = (ref: string) =>
    catalog.snapshot.appByName.get(ref)?.channels.get('stable')?.record.key ?? 0
  const keys = { editor: editor.key, player: player.key, beta: beta.key }
  const channels = { stable: stableOf('editor'), playerStable: stableOf('player') }
  store.close()
  return { file, folder, ...keys, ...channels }
}

/** A second connection to a database, as another program would have one. Closed after the test. */
export function connect(file: string): Connection {
  const database = openDatabase(file)
  onTestFinished(() => {
    database.close()
  })
  return database
}

/** Cells by name, such as `1.0.0 on day 20526`, without the zeros. */
export type Cells = Readonly<Record<string, number>>

function cells(database: Connection, sql: string): Cells {
  return Object.fromEntries(database.prepare<[], [string, number]>(sql).raw().all())
}

/** Counted up as check-ins came, by profile and day. */
export function storedCounters(database: Connection) {
  return {
    adoption: cells(
      database,
      "SELECT profile || ' on day ' || day, devices FROM adoption WHERE devices <> 0",
    ),
    hourly: cells(
      database,
      "SELECT profile || ' in hour ' || hour, devices FROM hourly_adoption WHERE devices <> 0",
    ),
    presence: cells(
      database,
      "SELECT profile || ' on day ' || day, devices FROM presence WHERE devices <> 0",
    ),
    traffic: cells(
      database,
      `SELECT channel_key || ' at hour ' || hour,
        check_ins * 1000000 + anonymous * 1000 + offers FROM traffic`,
    ),
  }
}

/** The same, counted anew from every check-in in the log. */
export function recountedCounters(database: Connection) {
  const day = `(at / ${DAY})`
  return {
    adoption: cells(
      database,
      `SELECT profile || ' on day ' || day, count(*) FROM (
        SELECT profile, ${day} AS day, max(id) FROM check_ins WHERE device <> 0
        GROUP BY device, ${day}
      ) GROUP BY profile, day`,
    ),
    presence: cells(
      database,
      `SELECT profile || ' on day ' || day, count(*) FROM (
        SELECT profile, ${day} AS day, max(id) FROM check_ins WHERE device <> 0 GROUP BY device
      ) GROUP BY profile, day`,
    ),
    hourly: cells(
      database,
      `SELECT profile || ' in hour ' || hour, count(*) FROM (
        SELECT profile, at / ${HOUR} AS hour, max(id) FROM check_ins WHERE device <> 0
        GROUP BY device, at / ${HOUR}
      ) GROUP BY profile, hour`,
    ),
    // Outcomes 1 and 2, whatever the source, are offers.
    traffic: cells(
      database,
      `SELECT channel_key || ' at hour ' || hour,
        count(*) * 1000000 + sum(device = 0) * 1000 + sum(kind % 16 IN (1, 2))
      FROM (SELECT *, at / ${HOUR} AS hour FROM check_ins) JOIN profiles ON profiles.id = profile
      GROUP BY channel_key, hour`,
    ),
  }
}
