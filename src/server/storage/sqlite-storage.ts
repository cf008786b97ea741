import type { FleetOptions } from '../fleet/fleet-options.ts'
import { createSqliteCatalogStore, type SqliteCatalogStore } from './catalog/catalog-store.ts'
import { DatabaseFiles } from './data-folder/database-files.ts'
import { DiskGuard } from './data-folder/disk-guard.ts'
import { type FolderLock, lockDataFolder } from './data-folder/lock.ts'
import { ServedRevision } from './data-folder/served-revision.ts'
import { FleetDatabase } from './fleet/database/fleet-database.ts'
import { SqliteFleet } from './fleet/sqlite-fleet.ts'
import type { StorageConfig } from './interface/engine.ts'
import type { SpaceWatchOptions, Storage, StorageEvents } from './interface/storage.ts'
import { SqlitePeopleStore } from './people/people-store.ts'
import { SoleLeadership } from './sole-leadership.ts'
import { prepareDatabase } from './sqlite/prepare.ts'
import { SqliteEngine } from './sqlite-engine.ts'

/** Opens SQLite for a server: holds the lock of the data folder, and writes on threads. */
export async function openSqlite(config: StorageConfig, events: StorageEvents): Promise<Storage> {
  const { dataFolder } = config
  const opened = new AsyncDisposableStack()
  try {
    const lock = lockDataFolder(dataFolder)
    opened.defer(() => lock.release())
    const { from, to, copy } = prepareDatabase(dataFolder, {
      lockHeld: true,
      onMigrate: events.onMigrate,
    })
    if (copy !== undefined) events.onMigrated?.({ from, to, copy })
    // Written before the catalog is read, so a command that finds no file knows that its change will be read.
    const served = new ServedRevision(dataFolder)
    opened.defer(() => served.release())
    const engine = new SqliteEngine(config)
    const files = new DatabaseFiles(engine.location)
    const beforeWrite = () => files.check()
    const options = { checkpoint: 'elsewhere', thread: true, beforeWrite } as const
    const catalog = createSqliteCatalogStore(engine.location, options)
    opened.defer(() => catalog.close())
    const people = new SqlitePeopleStore(engine.location, catalog.transactions)
    opened.defer(() => people.close())
    const fleet = FleetDatabase.open(engine.location, { beforeWrite })
    opened.defer(() => fleet.close())
    await files.remember()
    files.watch((trouble) => events.onTrouble?.(trouble))
    opened.defer(() => files.stop())
    const stores = { catalog, people, fleet }
    return new SqliteStorage({ dataFolder, engine, lock, served, files, ...stores, opened })
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

interface Parts {
  readonly dataFolder: string
  readonly engine: SqliteEngine
  readonly lock: FolderLock
  readonly served: ServedRevision
  readonly files: DatabaseFiles
  readonly catalog: SqliteCatalogStore
  readonly people: SqlitePeopleStore
  readonly fleet: FleetDatabase
  /** Closes all of them, in the reverse order. */
  readonly opened: AsyncDisposableStack
}

class SqliteStorage implements Storage {
  readonly engine: SqliteEngine
  readonly catalog: SqliteCatalogStore
  readonly people: SqlitePeopleStore
  readonly #parts: Parts
  readonly #leadership = new SoleLeadership()

  constructor(parts: Parts) {
    this.#parts = parts
    this.engine = parts.engine
    this.catalog = parts.catalog
    this.people = parts.people
  }

  get trouble() {
    return this.#parts.files.trouble
  }

  openFleet(options: FleetOptions) {
    return SqliteFleet.open(this.#parts.fleet, options)
  }

  leadership() {
    return this.#leadership
  }

  watchSpace(options: SpaceWatchOptions) {
    return new DiskGuard({ folder: this.#parts.dataFolder, ...options })
  }

  announce(address: string) {
    this.#parts.lock.announce(address)
  }

  setServed(revision: number) {
    this.#parts.served.set(revision)
  }

  async endServing() {
    await this.#parts.served.release()
  }

  async close() {
    this.#leadership.lose()
    await this.#parts.opened.disposeAsync()
  }
}
