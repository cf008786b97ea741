import { z } from 'zod'
import { ConnectionError, RemoteCallError } from '../../../remote/connection-error.ts'
import { Refusal } from '../../catalog/errors.ts'

const ErrorAnswer = z.object({ error: z.string() })

/** An error response of the public API, with its sentence. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The status of HTTP. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** A server that cannot be asked; `cause` is why. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'
  readonly server: string
  override readonly cause: ConnectionError

  constructor(server: string, cause: ConnectionError) {
    super(cause.message)
    this.cause = cause
    this.server = server
  }

  /** Returns what went wrong at a server, with its address if it is the connection. */
  static of(server: string, error: unknown): unknown {
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return cause instanceof ConnectionError ? new ServerUnreachable(server, cause) : error
  }
}

/** No server holds a data folder. */
export class ServerNotRunning extends Error {
  override readonly name = 'ServerNotRunning'
  readonly place: string

  /** `place`: of the storage on which it would run. */
  constructor(place: string) {
    super(place)
    this.place = place
  }
}

/** An API key was used for what only people may do. */
export class KeyInsufficient extends Error {
  override readonly name = 'KeyInsufficient'
}

/** There is neither an API key nor a session for a server. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn'
  readonly server: string

  constructor(server: string) {
    super(server)
    this.server = server
  }
}

/** Returns the message of an error response of the public API; undefined if it is none. */
export function errorOf(json: unknown): string | undefined {
  return ErrorAnswer.safeParse(json).data?.error
}

/** Returns whether publishing failed because the version exists on the channel, wherever the server is. */
export function isDuplicateRelease(error: unknown): boolean {
  if (error instanceof Refusal) return error.facts.code === 'release_exists'
  // Docs/api.md, "Errors": of publishing, 409 has no other meaning.
  if (error instanceof ApiError) return error.status === 409
  if (error instanceof RemoteCallError) {
    return 'refusal' in error.error && error.error.refusal.code === 'release_exists'
  }
  return error instanceof Error && error.cause !== undefined && isDuplicateRelease(error.cause)
}
