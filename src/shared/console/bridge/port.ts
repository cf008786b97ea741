import type { CallRequest, CallResult, SubscribeRequest, SubscriptionEvent } from './bridge.ts'

/** Who answers at the other end of a port: the main process itself, or the server process. */
export type PortTarget = 'shell' | 'server'

/** The page's preload script asks main for a port on this channel, with a `PortTarget`. */
export const CONNECT = 'tidegate:connect'

/** Main's reply to the frame that asked: a `PortOffer`, and a port if it is `connected`. */
export const PORT = 'tidegate:port'

/**
 * The result of a request for a port: `refused` if the frame is not the console, `unavailable` if the
 * server does not run.
 */
export interface PortOffer {
  readonly target: PortTarget
  readonly outcome: 'connected' | 'refused' | 'unavailable'
}

/** Requests over a port. The sender numbers its calls and subscriptions. */
export type PortRequest =
  | { readonly type: 'call'; readonly id: number; readonly request: CallRequest }
  | { readonly type: 'subscribe'; readonly id: number; readonly request: SubscribeRequest }
  | { readonly type: 'unsubscribe'; readonly id: number }

/** What is answered over a port, under the number of the request. */
export type PortAnswer =
  | { readonly type: 'result'; readonly id: number; readonly result: CallResult }
  | { readonly type: 'event'; readonly id: number; readonly event: SubscriptionEvent }

/** A port in the main process or a utility process, as Electron has it there. */
export interface ProcessPort<Received = unknown> {
  on(event: 'message', listener: (message: { readonly data: Received }) => void): unknown
  on(event: 'close', listener: () => void): unknown
  postMessage(message: unknown): void
  /** Lets messages in: until then they wait. */
  start(): void
  close(): void
}
