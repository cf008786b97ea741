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
