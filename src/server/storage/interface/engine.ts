import type { DeviceName } from '../../fleet/facts.ts'
import type {
  BackupOptions,
  BackupResult,
  CopyComparison,
  CopyReport,
  RestoreOptions,
  RestoreResult,
} from './backups.ts'
import type { DoctorReport } from './findings.ts'

/** Which storage. SQLite is the only engine: its database is a file in a folder of this computer. */
export interface StorageConfig {
  readonly dataFolder: string
}

/** Who holds a storage. For messages only: it may have ended since. */
export interface StorageHolder {
  readonly pid: number
  /** The base address of the server, `null` until it listens, and for maintenance. */
  readonly address: string | null
  /** ISO 8601, UTC. */
  readonly startedAt: string
}

/** Copies of the data on a schedule, made and read on threads of their own. */
export interface CopyMaker {
  /** Creates a folder for copies if it is missing, for this account only. Throws `StorageError`. */
  createFolder(folder: string): void
  /** `StorageEngine.backup` into a file that does not exist. Rejects soon after `signal` aborts. */
  make(destination: string, signal: AbortSignal): Promise<BackupResult>
  /** Reads every page of a copy and counts its rows. Rejects when it cannot be restored. */
  inspect(file: string, signal: AbortSignal): Promise<CopyReport>
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
  /** Whether anything is stored there, readable or not. Changes nothing. */
  exists(): boolean
  /** The schema version, 0 if nothing is stored. Throws `StorageError` for data of another program. */
  version(): number
  /** Who holds the storage, as far as known. */
  holder(): StorageHolder | undefined
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
  /** Returns whether a request to forget a device is still to be carried out. */
  isErasurePending(name: DeviceName): boolean
  /** Carries out such a request; returns false, and does nothing, while someone holds the storage. */
  erase(name: DeviceName): boolean
}
