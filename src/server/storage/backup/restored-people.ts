import type { Connection } from '../sqlite/database.ts'

const SQL = {
  hasAccounts: "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'accounts'",
  enabled: 'SELECT id FROM accounts WHERE disabled_at IS NULL',
  endSessions: 'DELETE FROM sessions',
  voidLinks: 'DELETE FROM account_links',
  disable: 'UPDATE accounts SET disabled_at = ? WHERE id = ? AND disabled_at IS NULL',
  raiseRevision: 'UPDATE people_state SET revision = revision + 1',
} as const

/** The accounts of a database that can be used; null for a database from before there were accounts. */
export type EnabledAccounts = readonly string[] | null

/** Reads what `closeAccounts` keeps closed in a copy. */
export function enabledAccounts(database: Connection): EnabledAccounts {
  if (!hasAccounts(database)) return null
  return database.prepare<[], string>(SQL.enabled).pluck().all()
}

/**
 * Ends all sessions of a copy that is about to be restored and voids its links: those that ended or were
 * used since must not be valid again. Accounts that were disabled or removed since are disabled; where
 * no account was left at all, those of the copy are all there is, and stay. Inside a transaction.
 */
export function closeAccounts(copy: Connection, enabled: EnabledAccounts): void {
  if (!hasAccounts(copy)) return
  copy.prepare(SQL.endSessions).run()
  copy.prepare(SQL.voidLinks).run()
  copy.prepare(SQL.raiseRevision).run()
  if (enabled === null || enabled.length === 0) return
  const known = new Set(enabled)
  const at = new Date().toISOString()
  const disable = copy.prepare<[string, string]>(SQL.disable)
  for (const id of enabledAccounts(copy) ?? []) if (!known.has(id)) disable.run(at, id)
}

function hasAccounts(database: Connection): boolean {
  return database.prepare<[], number>(SQL.hasAccounts).pluck().get() === 1
}
