import { z } from 'zod'

/** Everything that the console's page can ask of the processes behind it: two functions. */
export interface Bridge {
  /** Runs a query or a mutation. Never rejects: what went wrong is in the result. */
  call(request: CallRequest): Promise<CallResult>
  /** Follows a subscription until the returned function is called. */
  subscribe(request: SubscribeRequest, listener: (event: SubscriptionEvent) => void): () => void
}

/** The name under which the preload script puts the bridge on the page's window. */
export const BRIDGE = 'tidegate'

export const CallRequest = z.strictObject({
  type: z.enum(['query', 'mutation']),
  /** Procedure, such as `releases.list`. Those that start with `shell.` are the main process's. */
  path: z.string().max(100),
  input: z.unknown(),
})
export type CallRequest = z.infer<typeof CallRequest>

export const SubscribeRequest = z.strictObject({ path: z.string().max(100), input: z.unknown() })
export type SubscribeRequest = z.infer<typeof SubscribeRequest>

/** An error as a value: a code that programs tell apart, and a sentence for people. */
export const CallError = z.strictObject({
  code: z.enum([
    'invalid',
    'unknown',
    'duplicate',
    'rolled_back',
    'invariant',
    /** The server process does not run, or ended before it answered. */
    'unavailable',
    'internal',
  ]),
  message: z.string(),
})
export type CallError = z.infer<typeof CallError>

export type CallResult =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: CallError }

export type SubscriptionEvent =
  | { readonly type: 'data'; readonly data: unknown }
  | { readonly type: 'error'; readonly error: CallError }
  | { readonly type: 'end' }
