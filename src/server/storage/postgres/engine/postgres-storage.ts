import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { DisposerStack } from '../../../async/disposer-stack.ts'
import type { LeadershipName } from '../../../cluster/leadership.ts'
import type { FleetOptions } from '../../../fleet/fleet-options.ts'
import type { SharedHosting } from '../../../hosting/shared/records.ts'
import { VERSION } from '../../../version.ts'
import { type FolderLock, lockDataFolder } from '../../data-folder/lock.ts'
import type { KeptFiles, ServerStorageConfig } from '../../interface/engine.ts'
import type { ServedPart, SpaceWatch, Storage, StorageEvents } from '../../interface/storage.ts'
import { PostgresDatabase } from '../connection/database.ts'
import { PostgresFleet } from '../fleet/postgres-fleet.ts'
import { PostgresFileRecords } from '../hosting/file-records.ts'
import { PostgresUploadRecords } from '../hosting/upload-records.ts'
import { SCHEMA } from '../migrations/index.ts'
import { migrate } from '../migrations/migrate.ts'
import { usableState } from '../migrations/usable-state.ts'
import { served } from '../nodes/acknowledgement.ts'
import { LeaderSession } from '../nodes/leader-session.ts'
import { PostgresLeaderFacts } from '../nodes/leadership.ts'
import type { HolderState } from '../nodes/live-nodes.ts'
import { PostgresNodes } from '../nodes/nodes.ts'
import { OwnNode } from '../nodes/own-node.ts'
import { PostgresSignInState } from '../people/sign-in-state.ts'
import { PostgresEngine } from './postgres-engine.ts'
import { openStores, type PostgresStores } from './postgres-stores.ts'

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
    const nodes = await PostgresNodes.open(database, node, stores)
    opened.add(() => nodes.close())
    const leading = new LeaderSession(database, node)
    opened.add(() => leading.close())
    const engine = new PostgresEngine(config.database, database)
    return new PostgresStorage({
      ...{ ...stores, lock, engine, database, node, nodes, leading, opened },
    })
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

interface Parts extends PostgresStores {
  readonly lock: FolderLock
  readonly engine: PostgresEngine
  readonly database: PostgresDatabase
  readonly node: OwnNode
  readonly nodes: PostgresNodes
  readonly leading: LeaderSession
  /** Closes all of them, in the reverse order. */
  readonly opened: DisposerStack
}

class PostgresStorage implements Storage {
  readonly engine: PostgresEngine
  readonly catalog: PostgresStores['catalog']
  readonly people: PostgresStores['people']
  readonly outbox: PostgresStores['outbox']
  readonly nodes: PostgresNodes
  readonly signInState: PostgresSignInState
  readonly hosting: SharedHosting
  readonly leaderFacts: PostgresLeaderFacts
  /** Files of the database are a matter of its server. */
  readonly trouble = null
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
    this.engine = parts.engine
    this.catalog = parts.catalog
    this.people = parts.people
    this.outbox = parts.outbox
    this.nodes = parts.nodes
    this.signInState = new PostgresSignInState(parts.database)
    this.leaderFacts = new PostgresLeaderFacts(parts.database, (task) => parts.leading.of(task))
    this.hosting = {
      files: new PostgresFileRecords(parts.database, parts.changes, () => parts.node.id),
      uploads: new PostgresUploadRecords(parts.database, (id, entry) =>
        parts.catalog.recordUpload(id, entry),
      ),
    }
  }

  get statusToken() {
    return this.#parts.lock.statusToken
  }

  openFleet(options: FleetOptions) {
    const { database, changes, node } = this.#parts
    return PostgresFleet.open({ database, changes, node: () => node }, options)
  }

  leadership(name: LeadershipName) {
    return this.#parts.leading.of(name)
  }

  watchSpace() {
    return NO_WATCH
  }

  async announce(address: string, keptFiles: KeptFiles | null = null) {
    const { node, nodes, lock } = this.#parts
    const { statusToken } = this
    const state: HolderState = { pid: process.pid, host: hostname(), statusToken, keptFiles }
    node.setState(state)
    lock.announce(address, keptFiles)
    const late = delay(LEASE_TIME, undefined, { ref: false })
    // Then the list has this node as it is now, too.
    await Promise.race([node.announce(address).then(() => nodes.refresh()), late])
  }

  setServed(part: ServedPart, revision: number) {
    this.#parts.node.setServed(part, revision)
  }

  mayServe() {
    return this.#parts.node.mayServe()
  }

  acknowledged(part: ServedPart, revision: number) {
    return served(this.#parts.database, part, revision, LEASE_TIME + MARGIN)
  }

  startServing() {
    return this.#parts.node.startServing()
  }

  endServing() {
    return this.#parts.node.endServing()
  }

  async close() {
    await this.#parts.opened.close()
  }
}
