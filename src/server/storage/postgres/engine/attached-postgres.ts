import { DisposerStack } from '../../../runtime/async/disposer-stack.ts'
import type { StorageConfig } from '../../interface/engine.ts'
import type { AttachedStorage } from '../../interface/storage.ts'
import { PostgresDatabase } from '../connection/database.ts'
import { fleetReads } from '../fleet/reads/fleet-reads.ts'
import { migrate } from '../migrations/migrate.ts'
import { served } from '../nodes/acknowledgement.ts'
import { postgresEngine } from './postgres-engine.ts'
import { openStores } from './postgres-stores.ts'

/** Connections of a command. */
const CONNECTIONS = 3

/** PostgreSQL for a command, which is not one of its nodes. Rejects with `StorageError`. */
export async function attachPostgres(
  config: StorageConfig & { readonly database: string },
): Promise<AttachedStorage> {
  const opened = new DisposerStack()
  try {
    const database = new PostgresDatabase(config.database, CONNECTIONS)
    opened.add(() => database.close())
    await migrate(database)
    const { catalog, people, outbox } = await openStores(database, opened)
    return {
      engine: postgresEngine(config.database, database),
      ...{ catalog, people, outbox },
      fleet: () => fleetReads(database),
      confirmed: (part, revision, within) => served(database, part, revision, within),
      close: () => opened.close(),
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}
