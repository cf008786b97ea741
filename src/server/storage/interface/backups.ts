import type { RestoredAccess } from '../../../shared/access/restored-access.ts'
import type { Actor } from '../../catalog/audit-log.ts'

export interface CopyOptions {
  /** Called every 2 MiB with the number of copied pages and of all pages. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Ends the copy; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface BackupOptions extends CopyOptions {
  /** Replaces an existing destination, once the new copy is complete and checked. */
  readonly overwrite?: boolean | undefined
}

export interface BackupResult {
  readonly pages: number
  readonly bytes: number
  readonly milliseconds: number
}

/** Row counts that identify a backup. */
export type Counts = Readonly<Record<'apps' | 'releases' | 'devices', number>>

export interface CopyReport {
  readonly file: string
  readonly bytes: number
  /** Unix time in milliseconds when the file was written last. */
  readonly changedAt: number
  readonly schema: number
  readonly counts: Counts
}

/** A release, identified by names. */
export interface ReleaseName {
  /** The reference of the app. */
  readonly app: string
  readonly channel: string
  readonly version: string
}

/** A file of the server that wrote a backup, and the release that names it. */
export interface NamedFile {
  /** Lower-case hex. */
  readonly sha512: string
  /** As its address has it. */
  readonly name: string
  readonly release: ReleaseName
}

/** Releases that a restore removes: published since the backup. Devices may run them. */
export interface LostReleases {
  readonly count: number
  /** The latest of them, at most 100. */
  readonly newest: ReleaseName[]
}

/** What restoring a backup would change. */
export interface CopyComparison {
  readonly copy: CopyReport
  /** Null if there is no present data that can be read. */
  readonly present: Counts | null
  readonly lost: LostReleases
  /** Releases that would count as offered, because they may have been since the backup. */
  readonly offered: number
  /** What would be kept of the present data; null if it cannot be read. */
  readonly carriedOver: CarriedOver | null
  /** How people and keys would be kept from access that was taken since. */
  readonly access: RestoredAccess
}

/** What a restore kept of the database that it replaced. */
export interface CarriedOver {
  /** Releases that were rolled back since the backup. */
  readonly rolledBack: number
  /** Other releases that were paused or resumed, or whose rollout or targets changed, since then. */
  readonly servingKept: number
  /** API keys that were revoked since then. */
  readonly keysRevoked: number
}

export interface RestoreResult {
  /** Schema version of the restored database. The next start migrates it if it is older. */
  readonly version: number
  /** The new path of the replaced database, if there was one. */
  readonly aside: string | undefined
  /** Releases that count as offered from now on, because they may have been since the backup. */
  readonly offered: number
  /**
   * What was kept of the database that was replaced; null if it cannot be read. Rollbacks
   * and raised rollouts since the backup are undone then.
   */
  readonly carriedOver: CarriedOver | null
  /** How people and keys are kept from access that was taken since the backup. */
  readonly access: RestoredAccess
  /** Releases of the database that was replaced; none if it cannot be read. */
  readonly lost: LostReleases
}

export interface RestoreOptions {
  /** Recorded as the author of the restore. */
  readonly actor: Actor
  /** Whether the backup is a copy that `CopyMaker.stage` made. It is moved then, and already checked. */
  readonly staged?: boolean
}
