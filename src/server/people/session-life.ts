import type { SessionKind } from '../../shared/person.ts'
import type { PeopleSnapshot } from './snapshot.ts'
import type { SessionRecord } from './store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Milliseconds without use after which a session of each kind ends. */
export const IDLE_TIME: Readonly<Record<SessionKind, number>> = {
  browser: 12 * HOUR,
  // A script that runs once a week keeps its session.
  command_line: 8 * DAY,
}

/** Milliseconds after which a session ends even if it is used. */
export const SESSION_TIME: Readonly<Record<SessionKind, number>> = {
  browser: 30 * DAY,
  command_line: 90 * DAY,
}

/** Returns when a session ends without further use, in Unix milliseconds. `lastUsed` likewise. */
export function endOf(
  { kind, expiresAt }: Pick<SessionRecord, 'kind' | 'expiresAt'>,
  lastUsed: number,
): number {
  return Math.min(Date.parse(expiresAt), lastUsed + IDLE_TIME[kind])
}

/** The IDs of sessions that one snapshot has and a later one does not. */
export function endedBetween(previous: PeopleSnapshot, next: PeopleSnapshot): string[] {
  return [...previous.sessionById.keys()].filter((id) => !next.sessionById.has(id))
}
