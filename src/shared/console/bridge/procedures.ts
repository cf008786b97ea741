import { z } from 'zod'
import { issueOf } from '../../issue.ts'
import {
  type CallError,
  type CallRequest,
  type CallResult,
  refusedCall,
  type SubscribeRequest,
  type SubscriptionEvent,
} from './bridge.ts'

/** One run of a procedure. */
export interface ProcedureRun {
  readonly type: 'query' | 'mutation' | 'subscription'
  readonly path: string
  readonly input?: unknown
  readonly signal: AbortSignal | undefined
}

/** A router as one function, and what its failures are for the page. */
export interface Procedures {
  run(run: ProcedureRun): Promise<unknown>
  toError(error: unknown, request: SubscribeRequest): CallError
}

/** Returns what tRPC's `callTRPCProcedure` takes for a run, beside the router and its context. */
export function procedureCall({ type, path, input, signal }: ProcedureRun) {
  return { type, path, signal, getRawInput: async () => input, batchIndex: 0 }
}

/** Runs a query or a mutation. Never rejects. */
export async function answerCall(
  procedures: Procedures,
  request: CallRequest,
): Promise<CallResult> {
  try {
    return { ok: true, data: await procedures.run({ ...request, signal: undefined }) }
  } catch (error) {
    return { ok: false, error: procedures.toError(error, request) }
  }
}

/** Runs a subscription until it ends or `signal` aborts, after which nothing is emitted. Never rejects. */
export async function follow(
  procedures: Procedures,
  request: SubscribeRequest,
  signal: AbortSignal,
  emit: (event: SubscriptionEvent) => void,
): Promise<void> {
  try {
    const events = await procedures.run({ ...request, type: 'subscription', signal })
    if (!isAsyncIterable(events)) throw new Error(`${request.path} is not a subscription`)
    for await (const data of events) {
      if (signal.aborted) return
      emit({ type: 'data', data })
    }
    if (!signal.aborted) emit({ type: 'end' })
  } catch (error) {
    if (!signal.aborted) emit({ type: 'error', error: procedures.toError(error, request) })
  }
}

/**
 * What went wrong before a procedure ran, in whichever process: an input that its schema refuses, or a path that
 * names no procedure. Undefined for everything else, including an output that breaks its schema.
 */
export function requestIssue(error: unknown, request: SubscribeRequest): CallError | undefined {
  if (!(error instanceof Error && error.name === 'TRPCError' && 'code' in error)) return undefined
  if (error.code === 'NOT_FOUND' || error.code === 'METHOD_NOT_SUPPORTED') {
    return { code: 'unknown', reason: 'unknown_procedure', detail: request.path }
  }
  if (error.code === 'BAD_REQUEST' && error.cause instanceof z.ZodError) {
    const { path, reason } = issueOf(error.cause, request.input)
    return refusedCall({ code: 'invalid_input', path: path.map(String), reason })
  }
  return undefined
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
