import type { CallError } from '../../shared/console/bridge.ts'

export type ErrorCode = CallError['code']

/** What went wrong behind the bridge: a code to tell errors apart, a sentence for people. */
export class ConsoleError extends Error {
  readonly code: ErrorCode

  constructor({ code, message }: CallError) {
    super(message)
    this.name = 'ConsoleError'
    this.code = code
  }
}

/** The typed error in whatever a query or a mutation failed with. */
export function consoleErrorOf(error: unknown): ConsoleError {
  if (error instanceof ConsoleError) return error
  if (!(error instanceof Error))
    return new ConsoleError({ code: 'internal', message: String(error) })
  if (error.cause instanceof ConsoleError) return error.cause
  return new ConsoleError({ code: 'internal', message: error.message })
}
