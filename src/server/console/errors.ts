import { TRPCError } from '@trpc/server'
import {
  type CallError,
  refusedCall,
  type SubscribeRequest,
} from '../../shared/console/bridge/bridge.ts'
import { requestIssue } from '../../shared/console/bridge/procedures.ts'
import type { RefusalKind } from '../../shared/refusal-kind.ts'
import { isTemporary, OutOfContact, Refusal, Unavailable } from '../catalog/errors.ts'
import { PreviewsBusy } from '../use-cases/releases/preview-serving.ts'

/** Converts what a procedure threw to a value for the page. The cause of an `internal` error stays in the log. */
export function toCallError(error: unknown, request: SubscribeRequest): CallError {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error
  if (cause instanceof Refusal) return refusedCall(cause.facts)
  if (cause instanceof OutOfContact) return { code: 'unavailable', reason: 'out_of_contact' }
  if (cause instanceof Unavailable || isTemporary(cause))
    return { code: 'internal', reason: 'database_unwritable' }
  if (cause instanceof PreviewsBusy) return { code: 'internal', reason: 'previews_busy' }
  return requestIssue(error, request) ?? { code: 'internal', reason: 'server_error' }
}

/** Returns what tRPC sends for an error over HTTP: without a stack, and with the page's value as `data.callError`. */
export function formatCallError({
  shape,
  error,
  path = '',
  input,
}: {
  readonly shape: { readonly code: number; readonly message: string; readonly data: object }
  readonly error: TRPCError
  readonly path?: string | undefined
  readonly input: unknown
}) {
  const { code } = shape
  const callError = toCallError(error, { path, input })
  // Its number in JSON-RPC is that of an internal error, from which the status would follow.
  const data = error.code === 'SERVICE_UNAVAILABLE' ? { callError, httpStatus: 503 } : { callError }
  return { code, message: error.code, data }
}

/** What tRPC calls a refusal over HTTP, where its code becomes the status. */
const CODES: Readonly<Record<RefusalKind, TRPCError['code']>> = {
  invalid: 'BAD_REQUEST',
  unknown: 'NOT_FOUND',
  duplicate: 'CONFLICT',
  rolled_back: 'CONFLICT',
  conflict: 'CONFLICT',
  forbidden: 'FORBIDDEN',
  invariant: 'UNPROCESSABLE_CONTENT',
  unauthenticated: 'UNAUTHORIZED',
  limited: 'TOO_MANY_REQUESTS',
  temporary: 'SERVICE_UNAVAILABLE',
}

/** Returns the error of tRPC for a refusal, so that its status over HTTP is not that of a failure of ours. */
export function refusedError(error: TRPCError): TRPCError {
  const { cause } = error
  if (cause instanceof OutOfContact) return new TRPCError({ code: CODES.temporary, cause })
  return cause instanceof Refusal ? new TRPCError({ code: CODES[cause.kind], cause }) : error
}
