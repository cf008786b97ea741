import { type Issue, issueMessage } from '../../shared/issue.ts'

/**
 * Why the catalog refuses something:
 * - `invalid`: the input is wrong; `message` is `<path>: <reason>`
 * - `unknown`: the app, channel, release or key does not exist
 * - `duplicate`: it exists already
 * - `rolled_back`: a rolled-back release can never be served again
 * - `invariant`: the change would take something back that devices were offered
 */
export type RefusalCode = 'invalid' | 'unknown' | 'duplicate' | 'rolled_back' | 'invariant'

/** A refusal that the caller can act on. Anything else that is thrown is a failure of ours. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.code = code
  }
}

/** An `invalid` refusal that names the member. */
export function invalid(issue: Issue): Refusal {
  return new Refusal('invalid', issueMessage(issue))
}

/**
 * The catalog cannot be written at the moment: another process holds it, or the disk is full. `message`
 * is for the caller; `cause` names local files and belongs in the log.
 */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'

  constructor(cause?: unknown) {
    super('the database cannot be written right now, try again in a few seconds', { cause })
  }
}

/** Returns whether an error of a store is temporary. */
export function isTemporary(error: unknown): boolean {
  return error instanceof Error && 'isTemporary' in error && error.isTemporary === true
}
