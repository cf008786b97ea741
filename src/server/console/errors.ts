import { TRPCError } from '@trpc/server'
import { type CallError, refusedCall, type SubscribeRequest } from '../../shared/console/bridge.ts'
import { requestIssue } from '../../shared/console/procedures.ts'
import { Refusal, Unavailable } from '../catalog/errors.ts'
import { PreviewsBusy } from '../updates/preview-serving.ts'

/**
 * Converts what a procedure threw to a value for the page. The cause of an `internal` error stays in the
 * log.
 */
export function toCallError(error: unknown, request: SubscribeRequest): CallError {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error
  if (cause instanceof Refusal) return refusedCall(cause.facts)
  if (cause instanceof Unavailable) return { code: 'internal', reason: 'database_unwritable' }
  if (cause instanceof PreviewsBusy) return { code: 'internal', reason: 'previews_busy' }
  return requestIssue(error, request) ?? { code: 'internal', reason: 'server_error' }
}

/**
 * Returns what tRPC sends for an error over HTTP: its own shape, without a stack, and with the value for the
 * page as `data.callError`.
 */
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
  return { code, message: error.code, data: { callError: toCallError(error, { path, input }) } }
}
