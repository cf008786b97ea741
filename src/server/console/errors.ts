import { TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { type CallError, refusedCall } from '../../shared/console/bridge.ts'
import { issueOf } from '../../shared/issue.ts'
import { invalid, Refusal, Unavailable } from '../catalog/errors.ts'

/**
 * The one place where what a procedure threw becomes a value that can cross to the page. `input`
 * is what the procedure was called with. The cause of an `internal` error is not told.
 */
export function toCallError(error: unknown, input?: unknown): CallError {
  const cause = error instanceof TRPCError ? (error.cause ?? error) : error
  if (cause instanceof Refusal) return refusedCall(cause.facts)
  if (cause instanceof Unavailable) {
    const message = 'The database cannot be written right now. Try again in a few seconds.'
    return { code: 'internal', message }
  }
  if (error instanceof TRPCError && error.code === 'NOT_FOUND') {
    return { code: 'unknown', message: error.message }
  }
  // The same issue of an answer is ours.
  if (error instanceof TRPCError && error.code === 'BAD_REQUEST' && cause instanceof ZodError) {
    return refusedCall(invalid(issueOf(cause, input)).facts)
  }
  return { code: 'internal', message: 'Something went wrong in the server. Its log says more.' }
}
