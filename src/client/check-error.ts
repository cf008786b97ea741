/**
 * Why an update check or a download failed:
 * - `unreachable`: no connection, or it was lost; `cause` has the reason.
 * - `timeout`: no complete answer in time.
 * - `limited`: too many requests (429), or the server is overloaded (503). Try again after `retryAfter` seconds.
 * - `rejected`: the server refused the check, such as 404 for an unknown app; `message` has its reason.
 * - `invalid`: the answer is not one of an update server, such as the login page of a hotel network; or a
 *   file is not the one that was published.
 */
export type CheckProblem = 'unreachable' | 'timeout' | 'limited' | 'rejected' | 'invalid'

/** An update check or a download that failed. The app keeps its version, and checks again later. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
  readonly problem: CheckProblem
  /** Status code of the answer, if there was one. */
  readonly status: number | undefined
  /** Seconds to wait, if the server said so. */
  readonly retryAfter: number | undefined

  constructor(
    problem: CheckProblem,
    message: string,
    facts: {
      readonly status?: number
      readonly retryAfter?: number
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause: facts.cause })
    this.problem = problem
    this.status = facts.status
    this.retryAfter = facts.retryAfter
  }
}
