import { locationOf } from '../../interface/database-url.ts'
import type { StorageEngine } from '../../interface/engine.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { PostgresDatabase } from '../connection/database.ts'

/** Milliseconds for a statement that reads all of a table. */
const READ_TIME = 3_600_000

/**
 * Returns a database of PostgreSQL. The driver is loaded with the first operation. Backups are made and restored with the
 * tools of PostgreSQL: operations on them reject with `unsupported`. `url`: the connection URI. `open`: an open database that
 * is used in place of a connection for each operation.
 */
export function postgresEngine(url: string, open?: PostgresDatabase): StorageEngine {
  const location = locationOf(url)
  const refuse = () => {
    throw new StorageError({ code: 'unsupported', file: location })
  }
  const reject = async () => refuse()
  async function on<T>(
    work: (database: PostgresDatabase) => Promise<T>,
    queryTime?: number,
  ): Promise<T> {
    if (open !== undefined && queryTime === undefined) return await work(open)
    const { PostgresDatabase } = await import('../connection/database.ts')
    const database = new PostgresDatabase(url, 1, { queryTime })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }
  return {
    ...{ location, makesBackups: false },
    ...{ backup: reject, compare: reject, restore: reject, putBack: reject },
    copies: {
      ...{ createFolder: refuse, make: reject, inspect: reject, filesNamedIn: reject },
      ...{ compare: reject, stage: reject, schemaOf: refuse, discard: () => {} },
      // Nothing was left.
      unstage: () => {},
    },
    // Also true for tables of another program.
    exists: () =>
      on(async (database) => {
        const { databaseFacts } = await import('../migrations/usable-state.ts')
        return (await databaseFacts(database)).isFilled
      }),
    version: () =>
      on(async (database) => {
        const { usableState } = await import('../migrations/usable-state.ts')
        return (await usableState(database)).number
      }),
    holder: () =>
      on(async (database) => {
        const { usableState } = await import('../migrations/usable-state.ts')
        // Nodes are younger than the database.
        if ((await usableState(database)).number === 0) return undefined
        const { liveHolder } = await import('../nodes/live-nodes.ts')
        return await liveHolder(database)
      }),
    space: () => on(async (database) => (await import('./examine.ts')).readSpace(database)),
    examine: () =>
      on(async (database) => (await import('./examine.ts')).examine(database), READ_TIME),
    planUpgrade: () =>
      on(async (database) => (await import('../migrations/migrate.ts')).planUpgrade(database)),
    // Makes no copy: the migration is one transaction, which is undone when it fails.
    upgrade: () =>
      on(async (database) => {
        const { migrate } = await import('../migrations/migrate.ts')
        return { ...(await migrate(database)), copy: undefined }
      }, READ_TIME),
    isErasurePending: (name) =>
      on(async (database) => {
        const { isErasurePending } = await import('../fleet/upkeep/erasures.ts')
        return await isErasurePending(database, name)
      }),
    // Works beside nodes that run.
    erase: (name) =>
      on(async (database) => {
        const { forgetDevices } = await import('../fleet/upkeep/erasures.ts')
        await forgetDevices(database, [name])
        return true
      }),
  }
}
