import type { Logger } from 'pino'
import type { Backups } from '../backups/backups.ts'
import type { RestoreHost } from '../backups/restores.ts'
import type { Catalog, CatalogParts } from '../catalog/catalog.ts'
import type { ServerConfig } from '../config.ts'
import type { SharedConsoleContext } from '../console/context.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Hosting } from '../hosting/hosting.ts'
import type { Monitor, MonitorParts } from '../monitoring/monitor.ts'
import type { Notifications } from '../outbound/outbox/notifications.ts'
import type { PasswordJudge } from '../people/password/strength.ts'
import type { People } from '../people/people.ts'
import type { DisposerStack } from '../runtime/async/disposer-stack.ts'
import type { LogHealth } from '../runtime/log/log-writer.ts'
import type { MigrationVersions, SpaceReading, Storage } from '../storage/interface/storage.ts'
import type { StoppedPlan } from '../use-cases/plans/plan-judge.ts'
import type { PlanRunner } from '../use-cases/plans/plan-runner.ts'
import type { Updates } from '../use-cases/updates.ts'
import type { HeldFor } from '../web-console/hold-back.ts'

export interface RunningServer extends Pick<MonitorParts, 'databaseTrouble' | 'certificate'> {
  /** Base address, such as `http://127.0.0.1:8440`. */
  readonly address: string
  /** Of the console for browsers; null if it is offered to nobody. */
  readonly consoleAddress: string | null
  /** What a new browser has to show if that is for this computer only; else null. See `consoleCode`. */
  readonly consoleCode: string | null
  /** Where metrics are answered, with their path; null without a port of their own. */
  readonly metricsAddress: string | null
  /** The use cases, which every way in shares. */
  readonly updates: Updates
  /** The people who can sign in. */
  readonly people: People
  /** How they are notified. */
  readonly notifications: Notifications
  /** What the console's screens work with, without a caller: see `forPrincipal`. */
  readonly consoleContext: SharedConsoleContext
  /** How far telemetry is written. */
  readonly telemetry: Pick<Fleet, 'health' | 'settled'>
  readonly backups: Backups
  readonly monitor: Monitor
  /** Applies what is due of rollout plans now; the server does so by itself every now and then. */
  readonly plans: Pick<PlanRunner, 'look'>
  /** The rollout plans that this process stopped because of failures. */
  readonly stoppedPlans: () => readonly StoppedPlan[]
  /** Returns whether the writing thread gets the database's lock within that many milliseconds. Pending while it does not respond. */
  storageAnswers(within: number): Promise<boolean>
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
  /** How new passwords are judged: on a thread that ends with the judgement, by default. */
  readonly judgePassword?: PasswordJudge | undefined
  /** How long refusals of strangers are held back; 1 to 4 seconds by default. */
  readonly refusalsHeldFor?: HeldFor | undefined
  /** How the storage says what it owes to other servers on it; by default, as it is. */
  readonly contact?: Partial<Pick<Storage, 'mayServe' | 'acknowledged'>> | undefined
  /** How the free disk space is read, and how often. */
  readonly disk?: SpaceReading
  /** Gets a line for every request; by default, nothing does. */
  readonly accessLog?: Logger | undefined
  /** Whether lines of `log` are being lost. */
  readonly logHealth?: (() => LogHealth) | undefined
  /** Hears that the database is about to be migrated. The thread is blocked until that is done. */
  readonly onMigrate?: ((versions: MigrationVersions) => void) | undefined
}

/** What the parts of a server are opened with; each names what it needs. */
export interface Wiring {
  readonly config: ServerConfig
  readonly log: Logger
  readonly storage: Storage
  readonly catalog: Catalog
  /** Each part adds its close step. */
  readonly closing: DisposerStack
  /** Unix time in milliseconds. */
  readonly clock: () => number
  readonly disk: SpaceReading | undefined
  /** Bytes that uploads leave free on the disk of the data folder. */
  readonly reserve: number
  /** Undefined if the server keeps no files. */
  readonly hosting: Hosting | undefined
  /** Returns a failure handler that logs what failed. */
  readonly failed: (what: string) => (error: unknown) => void
}
