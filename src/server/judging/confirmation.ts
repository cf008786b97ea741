import type { Judgement } from './judge.ts'

/** Milliseconds for which every look says stop before a release is stopped: chance passes, failures stay. */
export const CONFIRM = 60 * 60 * 1_000

/**
 * Since when every look at a release said stop: Unix time in milliseconds, null if the last did not. Looks come again and
 * again, and each is another chance of a false alarm; the first that says stop does not stop.
 */
export type SuspectedSince = number | null

/** Returns since when the release is suspected after another look at `now`. */
export function suspectedSince(
  before: SuspectedSince,
  { verdict }: Judgement,
  now: number,
): SuspectedSince {
  if (verdict !== 'stop') return null
  // A clock that was set back begins the hour anew.
  return before === null || before > now ? now : before
}

/** Returns whether the release was suspected for long enough to stop it at `now`. */
export function isConfirmed(since: SuspectedSince, now: number): boolean {
  return since !== null && now - since >= CONFIRM
}
