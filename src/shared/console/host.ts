import type { CallRequest, CallResult, SubscribeRequest, SubscriptionEvent } from './bridge.ts'
import type { ServerState } from './shell.ts'

/** How the desktop app runs its server. Limits, retention and TLS have the server's defaults. */
export interface HostConfig {
  readonly dataFolder: string
  readonly host: string
  readonly port: number
}

/** What the main process sends to the server process. The first message is `start`. */
export type HostRequest =
  | { readonly type: 'start'; readonly config: HostConfig }
  | { readonly type: 'call'; readonly id: number; readonly request: CallRequest }
  | { readonly type: 'subscribe'; readonly id: number; readonly request: SubscribeRequest }
  | { readonly type: 'unsubscribe'; readonly id: number }
  /** Stops gracefully; the process ends by itself after `stopped`. */
  | { readonly type: 'stop' }

/** Why a server could not start, as `ServerState` has it. */
export type StartFailure = Extract<ServerState, { state: 'failed' }>['reason']

/** What the server process sends back. */
export type HostMessage =
  | { readonly type: 'ready'; readonly address: string }
  /** It could not start; the process ends by itself. */
  | { readonly type: 'failed'; readonly reason: StartFailure; readonly message: string }
  | { readonly type: 'result'; readonly id: number; readonly result: CallResult }
  | { readonly type: 'event'; readonly id: number; readonly event: SubscriptionEvent }
  /** Something that the person at the machine should know, such as telemetry that is not written. */
  | { readonly type: 'trouble'; readonly message: string }
  | { readonly type: 'stopped' }
