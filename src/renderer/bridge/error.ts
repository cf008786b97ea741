import type { CallError, CallFailure } from '../../shared/console/bridge/bridge.ts'
import type { RefusalFacts } from '../../shared/refusal.ts'
import { failureSentence, refusalInWords } from './strings.ts'

export type ErrorCode = CallError['code']

/** What went wrong behind the bridge: a code to tell errors apart, a sentence for people. */
export class ConsoleError extends Error {
  readonly code: ErrorCode
  /** Why the server refuses the call; undefined for every other error. */
  readonly refusal: RefusalFacts | undefined
  /** Why the call failed if nobody refused it. */
  readonly reason: CallFailure | undefined

  constructor(code: ErrorCode, message: string, refusal?: RefusalFacts, reason?: CallFailure) {
    super(message)
    this.name = 'ConsoleError'
    this.code = code
    this.refusal = refusal
    this.reason = reason
  }

  /** The error of a call. */
  static of(error: CallError): ConsoleError {
    return 'refusal' in error
      ? new ConsoleError(error.code, refusalInWords(error.refusal), error.refusal)
      : new ConsoleError(
          error.code,
          failureSentence(error.reason, error.detail),
          undefined,
          error.reason,
        )
  }
}

/** The typed error in whatever a query or a mutation failed with. */
export function consoleErrorOf(error: unknown): ConsoleError {
  if (error instanceof ConsoleError) return error
  if (!(error instanceof Error)) return new ConsoleError('internal', String(error))
  if (error.cause instanceof ConsoleError) return error.cause
  return new ConsoleError('internal', error.message)
}

/** Returns whether a query failed because what it asks for does not exist. */
export function isUnknown(error: unknown): boolean {
  return error !== null && consoleErrorOf(error).code === 'unknown'
}

/** After these, a change may have been made. */
const NO_ANSWER: readonly CallFailure[] = ['server_not_answering', 'server_ended', 'no_answer']

/** Returns whether nobody has answered a call: a change may have been made all the same. */
export function isUnanswered(error: unknown): boolean {
  const { reason } = consoleErrorOf(error)
  return reason !== undefined && NO_ANSWER.includes(reason)
}
