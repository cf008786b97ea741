import type { StartFailure } from '../../operation/start-failure.ts'
import type { StorageProblem } from '../../operation/storage-problem.ts'
import type { FailureAction } from '../../plans/plan.ts'
import type { Inspection, RestoreOutcome } from '../settings/backups.ts'
import type { Address, DataRules, FileStorage, Security, TlsFiles } from '../settings/settings.ts'

/** How the desktop app runs its server. What is left out has the server's default. */
export interface ServerProcessConfig
  extends Address,
    Partial<Omit<Security, 'tls'>>,
    Partial<Omit<DataRules, 'backups'>> {
  readonly dataFolder: string
  readonly tls?: TlsFiles
  readonly backups?: Omit<DataRules['backups'], 'folder'> & { readonly folder?: string }
  readonly hosting?: Omit<FileStorage, 'isOn' | 'folder'> & { readonly folder: string }
}

/** A backup that is to be restored, or inspected before that. */
export interface RestoreTask {
  readonly dataFolder: string
  /** In which the server keeps files, and bytes that stay free on its disk; null if it keeps none. */
  readonly files: { readonly folder: string; readonly reserve: number } | null
  /** Path of the backup. */
  readonly file: string
}

/**
 * What the main process sends to the server process. The first message is `start`; or one of
 * `inspect` and `restore`, and the process ends by itself after its answer.
 */
export type ServerProcessRequest =
  | { readonly type: 'start'; readonly config: ServerProcessConfig }
  | { readonly type: 'inspect' | 'restore'; readonly task: RestoreTask }
  /** Comes with a port, over which the process answers the console: `PortServer`. */
  | { readonly type: 'connect' }
  /** Stops gracefully; the process ends by itself after `stopped`. */
  | { readonly type: 'stop' }
  /** Confirms a final message, after which the process can exit. */
  | { readonly type: 'received' }

/** Why lines are lost. `detail`: what the operating system reported. */
export type LogFailure =
  | { readonly code: 'too_many_lines' }
  | { readonly code: 'unwritable'; readonly detail: string }

/** What a running server cannot do at the moment. */
export type ServerTrouble =
  /** Nothing can be saved: the database file was moved, deleted or replaced. */
  | { readonly code: 'database_file' }
  /** What update checks report is not stored. */
  | { readonly code: 'telemetry'; readonly problem: StorageProblem }
  /** Lines of the log are lost. */
  | { readonly code: 'log'; readonly failure: LogFailure }
  | { readonly code: 'backup'; readonly problem: StorageProblem }
  /** The server stopped a rollout plan because the release failed on too many devices. */
  | {
      readonly code: 'plan_stopped'
      readonly app: string
      readonly channel: string
      readonly version: string
      readonly action: FailureAction
    }

/**
 * What the server process sends back. `failed`, `stopped`, `inspected` and `restored` are final messages:
 * the process waits for `received` before it exits, because exiting drops what is still in progress.
 */
export type ServerProcessMessage =
  /** The database is about to be upgraded, which can take long on a large one. */
  | { readonly type: 'migrating'; readonly from: number; readonly to: number }
  | { readonly type: 'ready'; readonly address: string }
  /** It could not start; the process ends by itself. */
  | { readonly type: 'failed'; readonly failure: StartFailure }
  | { readonly type: 'trouble'; readonly trouble: ServerTrouble }
  | { readonly type: 'stopped' }
  | { readonly type: 'inspected'; readonly result: Inspection }
  | { readonly type: 'restored'; readonly result: RestoreOutcome }
