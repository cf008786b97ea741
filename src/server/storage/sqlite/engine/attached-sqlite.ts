import { untilServed } from '../../data-folder/served-revision.ts'
import type { StorageConfig } from '../../interface/engine.ts'
import type { AttachedStorage } from '../../interface/storage.ts'
import { type Connection, openDatabase } from '../database.ts'
import { sqliteFleetReads } from '../fleet/reads/fleet-reads.ts'
import { prepareDatabase } from '../prepare.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import {
  createSqliteCatalogStore,
  createSqliteOutboxStore,
  createSqlitePeopleStore,
} from './sqlite-stores.ts'

/** SQLite for a command: everything on the calling thread, with short transactions. */
export function attachSqlite(config: StorageConfig): AttachedStorage {
  const { dataFolder } = config
  const engine = sqliteEngine(config)
  prepareDatabase(dataFolder, { lockHeld: false })
  const catalog = createSqliteCatalogStore(engine.location)
  const people = createSqlitePeopleStore(engine.location, catalog.transactions)
  const outbox = createSqliteOutboxStore(engine.location, catalog.transactions)
  let database: Connection | undefined
  return {
    engine,
    catalog,
    people,
    outbox,
    fleet: () => {
      database ??= openDatabase(engine.location, { readonly: true })
      return sqliteFleetReads(database)
    },
    confirmed: (part, revision, within) => untilServed(dataFolder, part, revision, within),
    async close() {
      database?.close()
      outbox.close()
      people.close()
      await catalog.close()
    },
  }
}
