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
