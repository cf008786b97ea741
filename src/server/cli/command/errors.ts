/** Wrong usage or wrong data. The message has the fix. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A correct command that could not be carried out. The message has the fix. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

/** What is on the server does not allow it. The message has the fix. */
export class StateConflict extends Error {
  override readonly name = 'StateConflict'
}

/** The exit codes of every command. */
export const EXIT = {
  ok: 0,
  /** Correct, and could not be carried out: a file, the disk, the database, or an unexpected error. */
  failed: 1,
  /** Wrong arguments, options or input. */
  usage: 2,
  /** Refused by the rules of the server: unknown, exists already, not allowed in this state. */
  refused: 3,
  /** The server cannot be reached, or is too busy. */
  unreachable: 4,
  /** Not signed in, or without the role or scope. */
  unauthorized: 5,
  /** Saved, but not confirmed by the running server. */
  unconfirmed: 6,
} as const

export type ExitName = keyof typeof EXIT
