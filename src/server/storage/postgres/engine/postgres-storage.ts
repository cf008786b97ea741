import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { DisposerStack } from '../../../runtime/async/disposer-stack.ts'
import { VERSION } from '../../../runtime/version.ts'
import { lockDataFolder } from '../../data-folder/lock.ts'
import type { ServerStorageConfig } from '../../interface/engine.ts'
import type { SpaceWatch, Storage, StorageEvents } from '../../interface/storage.ts'
import { PostgresDatabase } from '../connection/database.ts'
import { openPostgresFleet } from '../fleet/postgres-fleet.ts'
import { postgresFileRecords, postgresUploadRecords } from '../hosting/hosting-records.ts'
import { SCHEMA } from '../migrations/index.ts'
import { migrate } from '../migrations/migrate.ts'
import { usableState } from '../migrations/usable-state.ts'
import { served } from '../nodes/acknowledgement.ts'
import { LeaderSession } from '../nodes/leader-session.ts'
import { postgresLeaderFacts } from '../nodes/leadership.ts'
import type { HolderState } from '../nodes/live-nodes.ts'
import { openPostgresNodes } from '../nodes/nodes.ts'
import { OwnNode } from '../nodes/own-node.ts'
import { postgresSignInState } from '../people/sign-in-state.ts'
import { postgresEngine } from './postgres-engine.ts'
import { openStores } from './postgres-stores.ts'

/** Milliseconds of a lease: the longest that a change waits for a node that is out of contact. */
const LEASE_TIME = 5_000
/** Milliseconds beyond it that a change waits, for statements that are under way. */
const MARGIN = 2_000

/** Nothing to watch: the space is that of the database server. */
const NO_WATCH: SpaceWatch = { start: async () => {}, stop: async () => {} }

/**
 * Opens PostgreSQL for a server, which becomes one of its nodes. Holds the lock of the data folder, whose certificates and
 * uploads are for one server. Rejects with `StorageError`.
 */
export async function openPostgres(
  config: ServerStorageConfig & { readonly database: string },
  events: StorageEvents,
): Promise<Storage> {
  const opened = new DisposerStack()
  try {
    const lock = lockDataFolder(config.dataFolder)
    opened.add(() => lock.release())
    const database = new PostgresDatabase(config.database)
    opened.add(() => database.close())
    await migrateReported(database, events)
    const stores = await openStores(database, opened, {
      assertLeads: (tx, name) => leading.of(name).assertLeads(tx),
    })
    const { nodeName: name = hostname() } = config
    const description = { name, version: VERSION, schema: SCHEMA }
    const node = await OwnNode.join(database, { ...description, leaseTime: LEASE_TIME })
    opened.add(() => node.leave())
    const nodes = await openPostgresNodes(database, node, stores)
    opened.add(() => nodes.close())
    const leading = new LeaderSession(database, node)
    opened.add(() => leading.close())
    const { catalog, people, outbox, changes } = stores
    const { statusToken } = lock
    return {
      ...{ catalog, people, outbox, nodes, statusToken },
      engine: postgresEngine(config.database, database),
      // Files of the database are a matter of its server.
      trouble: null,
      signInState: postgresSignInState(database),
      leaderFacts: postgresLeaderFacts(database, (task) => leading.of(task)),
      hosting: {
        files: postgresFileRecords(database, changes, () => node.id),
        uploads: postgresUploadRecords(database, (id, entry) => catalog.recordUpload(id, entry)),
      },
      openFleet: (options) => openPostgresFleet({ database, changes, node: () => node }, options),
      leadership: (task) => leading.of(task),
      watchSpace: () => NO_WATCH,
      async announce(address, keptFiles = null) {
        const state: HolderState = { pid: process.pid, host: hostname(), statusToken, keptFiles }
        node.setState(state)
        lock.announce(address, keptFiles)
        const late = delay(LEASE_TIME, undefined, { ref: false })
        // Then the list has this node as it is now, too.
        await Promise.race([node.announce(address).then(() => nodes.refresh()), late])
      },
      setServed: (part, revision) => node.setServed(part, revision),
      mayServe: () => node.mayServe(),
      acknowledged: (part, revision) => served(database, part, revision, LEASE_TIME + MARGIN),
      startServing: () => node.startServing(),
      endServing: () => node.endServing(),
      close: () => opened.close(),
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function migrateReported(database: PostgresDatabase, events: StorageEvents): Promise<void> {
  const { number: from } = await usableState(database, SCHEMA)
  const to = SCHEMA
  if (from > 0 && from < to) events.onMigrate?.({ from, to })
  const migrated = await migrate(database)
  if (migrated.from > 0 && migrated.from < migrated.to) {
    events.onMigrated?.({ ...migrated, copy: null })
  }
}
