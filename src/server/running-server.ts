import type { CertificateState } from '../shared/certificate.ts'
import type { DatabaseTrouble } from '../shared/database-file.ts'
import type { Backups } from './backups/backups.ts'
import type { RestoreHost } from './backups/restores.ts'
import type { CatalogParts } from './catalog/catalog.ts'
import type { SharedConsoleContext } from './console/context.ts'
import type { Fleet } from './fleet/fleet.ts'
import type { LogHealth } from './log/log-writer.ts'
import type { People } from './people/people.ts'
import type { MigrationVersions, SpaceReading } from './storage/interface/storage.ts'
import type { Updates } from './updates/updates.ts'

/** A server that runs. */
export interface RunningServer {
  /** Base address, such as `http://127.0.0.1:8440`. */
  readonly address: string
  /** Of the console for browsers; null if it is offered to nobody. */
  readonly consoleAddress: string | null
  /** The use cases, which every way in shares. */
  readonly updates: Updates
  /** The people who can sign in. */
  readonly people: People
  /** What the console's screens work with, without a caller: see `forPrincipal`. */
  readonly consoleContext: SharedConsoleContext
  /** How far telemetry is written. */
  readonly telemetry: Pick<Fleet, 'health' | 'settled'>
  readonly backups: Backups
  /** What happened to the database's files since the start, null if they are in place. */
  readonly databaseTrouble: () => DatabaseTrouble | null
  /** The certificate that the server answers with; null without TLS. */
  readonly certificate: () => CertificateState | null
  /** Reloads the TLS files, changed or not; does nothing without TLS. */
  reloadCertificate(): Promise<void>
  /** Answers what is under way, writes what waits, and gives the data folder free. */
  stop(): Promise<void>
}

export interface Server {
  /**
   * Opens the data folder and listens. Throws `StorageError` if the folder cannot be used (in
   * use, newer, damaged) and the error of the operating system if the port cannot; then
   * everything is closed again.
   */
  start(): Promise<RunningServer>
}

/** What a server uses from the system, unless it is passed in. */
export interface ServerParts extends Pick<CatalogParts, 'clock' | 'newId'> {
  /** Restarts the server with a backup; left out, backups cannot be restored while it runs. */
  readonly restoreHost?: RestoreHost | undefined
  /** Logarithm of the cost of new password hashes to the base 2, 17 by default. */
  readonly passwordCost?: number | undefined
  /** How the free disk space is read, and how often. */
  readonly disk?: SpaceReading
  /** Whether lines of `log` are being lost. */
  readonly logHealth?: (() => LogHealth) | undefined
  /** Hears that the database is about to be migrated. The thread is blocked until that is done. */
  readonly onMigrate?: ((versions: MigrationVersions) => void) | undefined
}
