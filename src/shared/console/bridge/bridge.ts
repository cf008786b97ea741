import { z } from 'zod'
import { kindOfRefusal, RefusalFacts } from '../../refusal.ts'
import { RefusalKind } from '../../refusal-kind.ts'

/** Everything that the console's page can ask of the processes behind it: two functions. */
export interface Bridge {
  /** Runs a query or a mutation. Never rejects: what went wrong is in the result. */
  call(request: CallRequest): Promise<CallResult>
  /** Follows a subscription until the returned function is called. */
  subscribe(request: SubscribeRequest, listener: (event: SubscriptionEvent) => void): () => void
}

export const CallRequest = z.strictObject({
  type: z.enum(['query', 'mutation']),
  /** Procedure, such as `releases.list`. Those that start with `shell.` are the main process's. */
  path: z.string().max(100),
  /** Missing where a message as JSON has none. */
  input: z.unknown().optional(),
})
export type CallRequest = z.infer<typeof CallRequest>

export const SubscribeRequest = z.strictObject({
  path: z.string().max(100),
  // JSON leaves it out where there is none.
  input: z.unknown().optional(),
})
export type SubscribeRequest = z.infer<typeof SubscribeRequest>

/** Why a call failed that nobody refused. */
export const CallFailure = z.enum([
  /** `detail` is its path. */
  'unknown_procedure',
  'malformed_request',
  'too_many_subscriptions',
  'server_not_running',
  'server_not_answering',
  /** It did not answer in time. */
  'no_answer',
  /** The server ended before it answered. */
  'server_ended',
  'not_passed_on',
  'refused_on_the_way',
  /** The server has lost contact with its database, and answers when it is back. */
  'out_of_contact',
  'database_unwritable',
  'previews_busy',
  /** Unexpected, in the server or the desktop app: the cause is in its log. */
  'server_error',
  'app_error',
  /** Unexpected, in the page: `detail` is what it reported. */
  'page_error',
])
export type CallFailure = z.infer<typeof CallFailure>

/** An error as a value: the facts of a refusal, or of a failure. */
export const CallError = z.union([
  z.strictObject({ code: RefusalKind, refusal: RefusalFacts }),
  z.strictObject({
    code: z.enum([
      /** Names no procedure, or is not a request at all. */
      'unknown',
      'invalid',
      /** The server process does not run, or ended before it answered. */
      'unavailable',
      'internal',
    ]),
    reason: CallFailure,
    detail: z.string().exactOptional(),
  }),
])
export type CallError = z.infer<typeof CallError>

/** Returns the error of a call that the server refuses. */
export function refusedCall(refusal: RefusalFacts): CallError {
  return { code: kindOfRefusal(refusal.code), refusal }
}

export type CallResult =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: CallError }

export type SubscriptionEvent =
  | { readonly type: 'data'; readonly data: unknown }
  | { readonly type: 'error'; readonly error: CallError }
  | { readonly type: 'end' }
