import type { Holder } from '../../../shared/operation/storage-problem.ts'
import type { DeviceName } from '../../fleet/facts.ts'
import type {
  BackupOptions,
  BackupResult,
  CopyComparison,
  CopyReport,
  NamedFile,
  RestoreOptions,
  RestoreResult,
} from './backups.ts'
import type { DoctorReport } from './findings.ts'

/** What bringing the stored data up to the schema of this program would take. */
export interface UpgradePlan {
  /** The path of the database. */
  readonly file: string
  /** Schema versions of the data and of this program. Equal if there is nothing to do. */
  readonly from: number
  readonly to: number
  /** The copy that would be made of the data first; null if there is nothing to do, and with PostgreSQL. */
  readonly copy: string | null
  /** Bytes that the copy and the migration take on the disk, at most; they may take half of it. */
  readonly neededBytes: number
  /** Free bytes on that disk that this account may use, undefined if unknown. */
  readonly freeBytes: number | undefined
  /** Whether a server or a maintenance command uses the data now; nothing can be migrated then. */
  readonly isInUse: boolean
  /** Who that is, null if unknown or nobody. */
  readonly holder: Holder | null
}

interface UpgradeResult {
  /** Schema versions before and after. */
  readonly from: number
  readonly to: number
  /** The copy of the data as it was; undefined if there was nothing to do, and with PostgreSQL. */
  readonly copy: string | undefined
}

/** Which storage. */
export interface StorageConfig {
  /** Of this computer, with the database of SQLite. With PostgreSQL, it has everything but the database. */
  readonly dataFolder: string
  /** The connection URI of a PostgreSQL database, with its password; undefined for SQLite. */
  readonly database?: string | undefined
}

/** The same for a server. */
export interface ServerStorageConfig extends StorageConfig {
  /** What people call this node of a PostgreSQL database; the name of its computer by default. */
  readonly nodeName?: string | undefined
}

/** Who holds a storage, as it has recorded itself: it may have ended since. */
export interface StorageHolder {
  readonly pid: number
  /** The base address of the server, `null` until it listens, and for maintenance. */
  readonly address: string | null
  /** ISO 8601, UTC. */
  readonly startedAt: string
  /** Shows a server that its caller can read the storage; null in the record of an earlier version. */
  readonly statusToken: string | null
  /** The files that the server keeps; null if it keeps none, and in the record of an earlier version. */
  readonly keptFiles: KeptFiles | null
}

/** Where a server keeps files for devices, and its own address in theirs. */
export interface KeptFiles {
  readonly folder: string
  readonly publicUrl: string
}

/** The space that the data takes, and what is left on its disk, in bytes. */
export interface StorageSpace {
  readonly databaseBytes: number
  /** Of the write-ahead log; undefined if this account may not see it. */
  readonly logBytes: number | undefined
  /** What this account can use; undefined on the disk of a database server, which nobody tells. */
  readonly freeBytes: number | undefined
}

/** Copies of the data on a schedule, made and read on threads of their own. */
export interface CopyMaker {
  /** Creates a folder for copies if it is missing, for this account only. Throws `StorageError`. */
  createFolder(folder: string): void
  /** `StorageEngine.backup` into a file that does not exist. Rejects soon after `signal` aborts. */
  make(destination: string, signal: AbortSignal): Promise<BackupResult>
  /** Reads every page of a copy and counts its rows. Rejects when it cannot be restored. */
  inspect(file: string, signal: AbortSignal): Promise<CopyReport>
  /** Returns the files of the server that a copy names. Rejects with `StorageError` if it cannot be read. */
  filesNamedIn(file: string, signal: AbortSignal): Promise<NamedFile[]>
  /** `StorageEngine.compare` on a thread of its own. */
  compare(file: string, signal: AbortSignal): Promise<CopyComparison>
  /**
   * Copies a backup next to the data and checks the copy, so that `restore` is short. Returns the copy, which
   * `unstage` deletes. Rejects when the backup cannot be restored, and soon after `signal` aborts.
   */
  stage(file: string, signal: AbortSignal): Promise<string>
  /** Deletes what `stage` left, if anything. */
  unstage(): void
  /** The schema version of a copy, from its header. Throws `StorageError`. */
  schemaOf(file: string): number
  /** Deletes a copy that was not finished. */
  discard(file: string): void
}

/** Operations on all of the stored data. Each rejects with `StorageError`. */
export interface StorageEngine {
  /** The location of the data, for people: the path of the database. */
  readonly location: string
  /**
   * Whether it copies its data into files. If not, backups are a matter of the database server: everything that makes,
   * reads or restores one rejects with `unsupported`.
   */
  readonly makesBackups: boolean
  /** Whether anything is stored there, readable or not. Changes nothing. */
  exists(): Promise<boolean>
  /** The schema version, 0 if nothing is stored. Rejects with `StorageError` for data of another program. */
  version(): Promise<number>
  /** Who holds the storage, as far as known; of several, one that has an address. */
  holder(): Promise<StorageHolder | undefined>
  /** Reads sizes, not data. Rejects with the error of the operating system. */
  space(): Promise<StorageSpace>
  /**
   * Copies the data into one file, as it was at the start, while others read and write it, and
   * checks the copy. Nothing is left behind when it fails.
   */
  backup(destination: string, options?: BackupOptions): Promise<BackupResult>
  readonly copies: CopyMaker
  /** What restoring a backup would change. Blocks the thread while it reads the entire backup. */
  compare(backup: string): Promise<CopyComparison>
  /** Replaces the data with a backup, and keeps a copy of the data. Rejects with `locked` if a server runs. */
  restore(backup: string, options: RestoreOptions): Promise<RestoreResult>
  /** Puts what a restore kept aside in the place of the data again, and that aside. Rejects as `restore` does. */
  putBack(aside: string): Promise<void>
  /** Examines the data without changing it. Reads all of it and blocks the thread meanwhile. */
  examine(): Promise<DoctorReport>
  /** What `upgrade` would do, and what it needs. Rejects with `StorageError` if the data is newer or cannot be read. */
  planUpgrade(): Promise<UpgradePlan>
  /**
   * Copies the data and migrates it, if its schema is older. Blocks the thread meanwhile. Rejects with `outdated` if a
   * server of an older version runs; when it fails, the data stays as it was.
   */
  upgrade(): Promise<UpgradeResult>
  /** Returns whether a request to forget a device is still to be carried out. */
  isErasurePending(name: DeviceName): Promise<boolean>
  /** Carries out such a request; resolves to false, and does nothing, while only the holder of the storage can. */
  erase(name: DeviceName): Promise<boolean>
}
