import type { Connection } from '../sqlite/database.ts'

const HAS_SESSIONS = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'sessions'"
const END = 'DELETE FROM sessions; DELETE FROM account_links'

/**
 * Ends all sessions and voids all links of a copy that is about to be restored: some of them ended, or were used, since
 * the backup. Call it inside a transaction.
 */
export function endSessions(copy: Connection): void {
  if (copy.prepare<[], number>(HAS_SESSIONS).pluck().get() === 1) copy.exec(END)
}
