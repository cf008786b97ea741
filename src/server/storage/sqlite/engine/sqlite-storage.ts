import { DisposerStack } from '../../../runtime/async/disposer-stack.ts'
import type {
  LeaderFacts,
  Leadership,
  LeadershipName,
} from '../../../runtime/cluster/leadership.ts'
import { DatabaseFiles } from '../../data-folder/database-files.ts'
import { DiskGuard } from '../../data-folder/disk-guard.ts'
import { lockDataFolder } from '../../data-folder/lock.ts'
import { ServedRevision } from '../../data-folder/served-revision.ts'
import type { StorageConfig } from '../../interface/engine.ts'
import type { ServedPart, Storage, StorageEvents } from '../../interface/storage.ts'
import { openFleetDatabase } from '../fleet/database/fleet-database.ts'
import { openSqliteFleet } from '../fleet/sqlite-fleet.ts'
import { prepareDatabase } from '../prepare.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import {
  createSqliteCatalogStore,
  createSqliteOutboxStore,
  createSqlitePeopleStore,
} from './sqlite-stores.ts'

/**
 * The leadership of a server that has its storage exclusively: it leads from the start until it loses the
 * storage.
 */
export class SoleLeadership implements Leadership {
  readonly #lost = new AbortController()

  run<T>(work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    return work(this.#lost.signal)
  }

  /** The storage is no longer held. */
  lose(): void {
    this.#lost.abort(new Error('the storage was closed'))
  }
}

/** What the only server knows, until it ends. */
export class SoleLeaderFacts implements LeaderFacts {
  readonly #facts = new Map<LeadershipName, string>()

  async read(task: LeadershipName): Promise<string | null> {
    return this.#facts.get(task) ?? null
  }

  async write(task: LeadershipName, facts: string): Promise<void> {
    this.#facts.set(task, facts)
  }
}

/** Opens SQLite for a server: holds the lock of the data folder, and writes on threads. */
export async function openSqlite(config: StorageConfig, events: StorageEvents): Promise<Storage> {
  const { dataFolder } = config
  const opened = new DisposerStack()
  try {
    const lock = lockDataFolder(dataFolder)
    opened.add(() => lock.release())
    const { from, to, copy } = prepareDatabase(dataFolder, {
      lockHeld: true,
      onMigrate: events.onMigrate,
    })
    if (copy !== undefined) events.onMigrated?.({ from, to, copy })
    // Written before either is read, so a command that finds no file knows that its change will be read.
    const served = {
      catalog: new ServedRevision(dataFolder, 'catalog'),
      people: new ServedRevision(dataFolder, 'people'),
    }
    opened.add(() => release(served))
    const engine = sqliteEngine(config)
    const files = new DatabaseFiles(engine.location)
    const beforeWrite = () => files.check()
    const options = { checkpoint: 'elsewhere', thread: true, beforeWrite } as const
    const catalog = createSqliteCatalogStore(engine.location, options)
    opened.add(() => catalog.close())
    const people = createSqlitePeopleStore(engine.location, catalog.transactions)
    opened.add(() => people.close())
    const outbox = createSqliteOutboxStore(engine.location, catalog.transactions)
    opened.add(() => outbox.close())
    const fleet = openFleetDatabase(engine.location, { beforeWrite })
    opened.add(() => fleet.close())
    await files.remember()
    files.watch((trouble) => events.onTrouble?.(trouble))
    opened.add(() => files.stop())
    const leadership = new SoleLeadership()
    return {
      ...{ engine, catalog, people, outbox },
      statusToken: lock.statusToken,
      leaderFacts: new SoleLeaderFacts(),
      get trouble() {
        return files.trouble
      },
      openFleet: (options) => openSqliteFleet(fleet, options),
      leadership: () => leadership,
      watchSpace: (options) => new DiskGuard({ folder: dataFolder, ...options }),
      announce: async (address, keptFiles = null) => lock.announce(address, keptFiles),
      setServed: (part, revision) => served[part].set(revision),
      mayServe: () => true,
      acknowledged: async () => true,
      startServing: async () => {},
      endServing: () => release(served),
      async close() {
        leadership.lose()
        await opened.close()
      },
    }
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function release({
  catalog,
  people,
}: Readonly<Record<ServedPart, ServedRevision>>): Promise<void> {
  await Promise.all([catalog.release(), people.release()])
}
