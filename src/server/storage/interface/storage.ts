import type { DatabaseTrouble } from '../../../shared/operation/storage-problem.ts'
import type { CatalogRemoval, CatalogStore, RemovalOutcome } from '../../catalog/store.ts'
import type { FleetOptions, OpenFleet } from '../../fleet/fleet.ts'
import type { FleetReads } from '../../fleet/store.ts'
import type { SharedHosting } from '../../hosting/shared/records.ts'
import type { OutboxStore } from '../../outbound/outbox/store.ts'
import type { SignInState } from '../../people/sign-in/sign-in-state.ts'
import type { PeopleStore } from '../../people/store.ts'
import type { LeaderFacts, Leadership, LeadershipName } from '../../runtime/cluster/leadership.ts'
import type { Nodes } from '../../runtime/cluster/nodes.ts'
import type { KeptFiles, StorageEngine } from './engine.ts'

/** Schema versions before and after a migration, 0 for a database that did not exist. */
export interface MigrationVersions {
  readonly from: number
  readonly to: number
}

/** How the free space is read, and how often. By default, the engine decides. */
export type SpaceReading = Pick<DiskGuardOptions, 'freeBytes' | 'interval'>

/** Limits of the free space, and callbacks. */
export type SpaceWatchOptions = Omit<DiskGuardOptions, 'folder'>

/** Monitors the free space for the data, between `start` and `stop`. */
export interface SpaceWatch {
  /** Resolves after the first check. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** What happens to a storage while a server has it open. */
export interface StorageEvents {
  /** Existing data is about to be migrated. The thread is blocked until that is done. */
  readonly onMigrate?: ((versions: MigrationVersions) => void) | undefined
  /** Data was migrated; `copy` is the data as it was before, null where the engine makes no copies. */
  readonly onMigrated?:
    | ((result: MigrationVersions & { readonly copy: string | null }) => void)
    | undefined
  /** Something happened to the files of the data, or they are in place again (`null`). */
  readonly onTrouble?: ((trouble: DatabaseTrouble | null) => void) | undefined
}

/** A fleet whose devices are removed with their apps and channels. */
export interface StoredFleet extends OpenFleet {
  /**
   * Removes an app or a channel with its releases and devices while checks continue, all or nothing. No
   * check-in restores any of it.
   */
  remove(removal: CatalogRemoval): Promise<RemovalOutcome>
}

/** What a server holds in memory and follows: each has revisions of its own. */
export type ServedPart = 'catalog' | 'people'

/** The stores of one server. It holds the storage exclusively until it closes it. */
export interface Storage {
  readonly engine: StorageEngine
  readonly catalog: CatalogStore
  readonly people: PeopleStore
  readonly outbox: OutboxStore
  /** What happened to the files of the data since they were opened; null if nothing. */
  readonly trouble: DatabaseTrouble | null
  /** As `StorageHolder` has it for those who can read the storage. */
  readonly statusToken: string
  /** The nodes that serve from it; undefined for an engine that only one process can serve from. */
  readonly nodes?: Nodes | undefined
  /** What sign-ins leave for a step that may reach another node; undefined for an engine of one process. */
  readonly signInState?: SignInState | undefined
  /** What the nodes know of stored files and uploads; undefined for an engine of one process. */
  readonly hosting?: SharedHosting | undefined
  /** Loads the fleet. It must be stopped before the storage is closed. */
  openFleet(options: FleetOptions): Promise<StoredFleet>
  leadership(name: LeadershipName): Leadership
  readonly leaderFacts: LeaderFacts
  watchSpace(options: SpaceWatchOptions): SpaceWatch
  /**
   * Records where the server listens and keeps files, for processes that find the storage in use. Resolves once they find
   * it, at the latest after some seconds: it is recorded later then.
   */
  announce(address: string, keptFiles?: KeptFiles | null): Promise<void>
  /** The server serves that revision of the catalog or the people from now on: see `AttachedStorage.confirmed`. */
  setServed(part: ServedPart, revision: number): void
  /**
   * Whether what this server has in memory may be served. False after it has lost contact with the other servers for so
   * long that they no longer wait for it: it may then serve a release that was rolled back. Cheap; read right before
   * an answer is sent, in the same turn of the event loop.
   */
  mayServe(): boolean
  /**
   * Resolves to true once no server on this storage serves anything older than that revision of the catalog or the
   * people: each serves it or a newer one, or may not serve. At once where this is the only server. Resolves to false
   * if that takes longer than the time after which a server that is out of contact may not serve. Rejects with
   * `StorageError` if the storage does not answer.
   */
  acknowledged(part: ServedPart, revision: number): Promise<boolean>
  /**
   * Resolves once this server may serve, for which the storage must know what it serves; at the latest after some seconds,
   * when it may still not: it is out of contact then until it may.
   */
  startServing(): Promise<void>
  /** The server serves nothing any longer, so that no command waits for it. Idempotent. */
  endServing(): Promise<void>
  /** Closes the stores and releases the storage. */
  close(): Promise<void>
}

/** The stores of a command that runs beside a server, or without one. */
export interface AttachedStorage {
  readonly engine: StorageEngine
  readonly catalog: CatalogStore
  readonly people: PeopleStore
  readonly outbox: OutboxStore
  /** The committed state of the fleet. */
  fleet(): FleetReads
  /**
   * Waits until the server that runs serves that revision of the catalog or the people or a newer one, at
   * most `within` milliseconds. Resolves at once if none runs, and to false if it does not confirm.
   */
  confirmed(part: ServedPart, revision: number, within: number): Promise<boolean>
  close(): Promise<void>
}

/** What watches the free space on a disk. */
export interface DiskGuardOptions {
  readonly folder: string
  /** Free space below which the disk counts as nearly full, in MiB. 0: never. */
  readonly minFreeMiB: number
  /** Called when the disk becomes nearly full, and when it no longer is. */
  readonly onChange: (isNearlyFull: boolean) => void
  /** Called when the free space cannot be read, once until it can be read again. */
  readonly onFailure: (error: unknown) => void
  /** Returns the free bytes on the folder's disk that this account can use. */
  readonly freeBytes?: (folder: string) => Promise<number>
  readonly interval?: number
}
