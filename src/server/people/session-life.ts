import type { PeopleSnapshot } from './snapshot.ts'
import type { SessionRecord } from './store.ts'

const HOUR = 3_600_000
/** Milliseconds without use after which a session ends. */
export const IDLE_TIME = 12 * HOUR
/** Milliseconds after which a session ends even if it is used. */
export const SESSION_TIME = 30 * 24 * HOUR

/** Returns when a session ends without further use, in Unix milliseconds. `lastUsed` likewise. */
export function endOf({ expiresAt }: Pick<SessionRecord, 'expiresAt'>, lastUsed: number): number {
  return Math.min(Date.parse(expiresAt), lastUsed + IDLE_TIME)
}

/** The IDs of sessions that one snapshot has and a later one does not. */
export function endedBetween(previous: PeopleSnapshot, next: PeopleSnapshot): string[] {
  return [...previous.sessionById.keys()].filter((id) => !next.sessionById.has(id))
}
