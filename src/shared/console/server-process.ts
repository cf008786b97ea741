import type { Inspection, RestoreOutcome } from './backups.ts'
import type { ServerState } from './shell.ts'

/** How the desktop app runs its server. What is left out has the server's default. */
export interface ServerProcessConfig {
  readonly dataFolder: string
  /** Other folders that hold a database: the server does not start while there are any. */
  readonly otherDatabases?: readonly string[]
  readonly host: string
  readonly port: number
  readonly tls?: { readonly certFile: string; readonly keyFile: string }
  readonly limits?: {
    readonly device?: number
    readonly key?: number
    readonly rejectedKey?: number
  }
  readonly budgets?: {
    readonly combinations?: number
    readonly newDevices?: number
    readonly labelBytes?: number
    readonly minFreeDiskMiB?: number
  }
  readonly maxConnections?: number
  readonly trustProxy?: readonly string[]
  readonly keepCheckInDays?: number
  readonly keepDeviceDays?: number
  readonly keepSeenOnceDays?: number
  readonly backups?: {
    readonly everyHours: number
    readonly keep: number
    readonly folder?: string
  }
}

/**
 * What the main process sends to the server process. The first message is `start`; or one of
 * `inspect` and `restore`, and the process ends by itself after its answer.
 */
export type ServerProcessRequest =
  | { readonly type: 'start'; readonly config: ServerProcessConfig }
  | { readonly type: 'inspect' | 'restore'; readonly dataFolder: string; readonly file: string }
  /** Comes with a port, over which the process answers the console: `PortServer`. */
  | { readonly type: 'connect' }
  /** Stops gracefully; the process ends by itself after `stopped`. */
  | { readonly type: 'stop' }
  /** Confirms a final message, after which the process can exit. */
  | { readonly type: 'received' }

/** Why a server could not start, as `ServerState` has it. */
export type StartFailure = Extract<ServerState, { state: 'failed' }>['reason']

/**
 * What the server process sends back. `failed`, `stopped`, `inspected` and `restored` are final messages:
 * the process waits for `received` before it exits, because exiting drops what is still in progress.
 */
export type ServerProcessMessage =
  /** The database is about to be upgraded, which can take long on a large one. */
  | { readonly type: 'migrating'; readonly from: number; readonly to: number }
  | { readonly type: 'ready'; readonly address: string }
  /** It could not start; the process ends by itself. */
  | { readonly type: 'failed'; readonly reason: StartFailure; readonly message: string }
  /** Something that the person at the machine should know, such as telemetry that is not written. */
  | { readonly type: 'trouble'; readonly message: string }
  | { readonly type: 'stopped' }
  | { readonly type: 'inspected'; readonly result: Inspection }
  | { readonly type: 'restored'; readonly result: RestoreOutcome }
