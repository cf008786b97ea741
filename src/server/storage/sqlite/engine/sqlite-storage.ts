import type { FleetOptions } from '../../../fleet/fleet-options.ts'
import type { OutboxStore } from '../../../outbound/outbox/store.ts'
import type { PeopleStore } from '../../../people/store.ts'
import { DisposerStack } from '../../../runtime/async/disposer-stack.ts'
import type {
  LeaderFacts,
  Leadership,
  LeadershipName,
} from '../../../runtime/cluster/leadership.ts'
import { DatabaseFiles } from '../../data-folder/database-files.ts'
import { DiskGuard } from '../../data-folder/disk-guard.ts'
import { type FolderLock, lockDataFolder } from '../../data-folder/lock.ts'
import { ServedRevision } from '../../data-folder/served-revision.ts'
import type { KeptFiles, StorageConfig } from '../../interface/engine.ts'
import type {
  ServedPart,
  SpaceWatchOptions,
  Storage,
  StorageEvents,
} from '../../interface/storage.ts'
import { type FleetDatabase, openFleetDatabase } from '../fleet/database/fleet-database.ts'
import { openSqliteFleet } from '../fleet/sqlite-fleet.ts'
import { prepareDatabase } from '../prepare.ts'
import { SqliteEngine } from './sqlite-engine.ts'
import {
  createSqliteCatalogStore,
  createSqliteOutboxStore,
  createSqlitePeopleStore,
  type SqliteCatalogStore,
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
    const engine = new SqliteEngine(config)
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
    const stores = { catalog, people, outbox, fleet }
    return new SqliteStorage({ dataFolder, engine, lock, served, files, ...stores, opened })
  } catch (error) {
    await opened.close()
    throw error
  }
}

type Served = Readonly<Record<ServedPart, ServedRevision>>

async function release({ catalog, people }: Served): Promise<void> {
  await Promise.all([catalog.release(), people.release()])
}

interface Parts {
  readonly dataFolder: string
  readonly engine: SqliteEngine
  readonly lock: FolderLock
  readonly served: Served
  readonly files: DatabaseFiles
  readonly catalog: SqliteCatalogStore
  readonly people: PeopleStore
  readonly outbox: OutboxStore
  readonly fleet: FleetDatabase
  /** Closes all of them, in the reverse order. */
  readonly opened: DisposerStack
}

class SqliteStorage implements Storage {
  readonly engine: SqliteEngine
  readonly catalog: SqliteCatalogStore
  readonly people: PeopleStore
  readonly outbox: OutboxStore
  readonly #parts: Parts
  readonly leaderFacts = new SoleLeaderFacts()
  readonly #leadership = new SoleLeadership()

  constructor(parts: Parts) {
    this.#parts = parts
    this.engine = parts.engine
    this.catalog = parts.catalog
    this.people = parts.people
    this.outbox = parts.outbox
  }

  get trouble() {
    return this.#parts.files.trouble
  }

  get statusToken() {
    return this.#parts.lock.statusToken
  }

  openFleet(options: FleetOptions) {
    return openSqliteFleet(this.#parts.fleet, options)
  }

  leadership() {
    return this.#leadership
  }

  watchSpace(options: SpaceWatchOptions) {
    return new DiskGuard({ folder: this.#parts.dataFolder, ...options })
  }

  async announce(address: string, keptFiles: KeptFiles | null = null) {
    this.#parts.lock.announce(address, keptFiles)
  }

  setServed(part: ServedPart, revision: number) {
    this.#parts.served[part].set(revision)
  }

  mayServe() {
    return true
  }

  async acknowledged() {
    return true
  }

  async startServing() {}

  async endServing() {
    await release(this.#parts.served)
  }

  async close() {
    this.#leadership.lose()
    await this.#parts.opened.close()
  }
}
