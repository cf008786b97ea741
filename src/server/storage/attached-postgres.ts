import type { StorageConfig } from './interface/engine.ts'
import type { AttachedStorage } from './interface/storage.ts'
import { OpenedParts } from './opened-parts.ts'
import { PostgresCatalogStore } from './postgres/catalog/catalog-store.ts'
import { Changes } from './postgres/changes/changes.ts'
import { PostgresDatabase } from './postgres/connection/database.ts'
import { PostgresFleetReads } from './postgres/fleet/reads/fleet-reads.ts'
import { migrate } from './postgres/migrations/migrate.ts'
import { served } from './postgres/nodes/acknowledgement.ts'
import { PostgresOutboxStore } from './postgres/outbox/outbox-store.ts'
import { PostgresPeopleStore } from './postgres/people/people-store.ts'
import { PostgresEngine } from './postgres-engine.ts'

/** Connections of a command. */
const CONNECTIONS = 3

/** PostgreSQL for a command, which is not one of its nodes. Rejects with `StorageError`. */
export async function attachPostgres(
  config: StorageConfig & { readonly database: string },
): Promise<AttachedStorage> {
  const opened = new OpenedParts()
  try {
    const database = new PostgresDatabase(config.database, CONNECTIONS)
    opened.add(() => database.close())
    await migrate(database)
    const changes = await Changes.open(database)
    opened.add(() => changes.close())
    const catalog = new PostgresCatalogStore(database, changes)
    opened.add(() => catalog.close())
    const people = new PostgresPeopleStore(database, changes)
    opened.add(() => people.close())
    const outbox = new PostgresOutboxStore(database, changes)
    opened.add(() => outbox.close())
    return {
      engine: new PostgresEngine(config.database, database),
      ...{ catalog, people, outbox },
      fleet: () => new PostgresFleetReads(database),
      confirmed: (part, revision, within) => served(database, part, revision, within),
      close: () => opened.close(),
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}
