import type { Connection } from '../database.ts'

const SQL = {
  hasOutbox: "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'webhooks'",
  enabled: 'SELECT id FROM webhooks WHERE disabled_at IS NULL',
  cancel: "UPDATE deliveries SET state = 'canceled', next_at = NULL WHERE state = 'pending'",
  // The text of a mail that is never sent can hold a link.
  forget: "UPDATE deliveries SET payload = '{}' WHERE mail_to IS NOT NULL",
  skip: `UPDATE outbox_state SET revision = revision + 1,
      audit_cursor = (SELECT coalesce(max(id), 0) FROM audit),
      mail_since = CASE WHEN mail_since IS NULL THEN NULL
        ELSE (SELECT coalesce(max(id), 0) FROM audit) END`,
  disable: `UPDATE webhooks SET disabled_at = ?, disabled_by = 'restore', revision = revision + 1
    WHERE id = ? AND disabled_at IS NULL`,
} as const

/** The webhooks of a database that are sent to; null for a database from before there were webhooks. */
export type EnabledWebhooks = readonly string[] | null

/** Reads what `silenceOutbox` leaves enabled in a copy. */
export function enabledWebhooks(database: Connection): EnabledWebhooks {
  if (!hasOutbox(database)) return null
  return database.prepare<[], string>(SQL.enabled).pluck().all()
}

/**
 * Keeps a copy that is about to be restored from sending again what was sent since the backup: cancels what waits,
 * and skips every entry of the audit log so far. Webhooks that were disabled or deleted since are disabled. Inside
 * a transaction, after the last entry of the restore.
 */
export function silenceOutbox(copy: Connection, enabled: EnabledWebhooks): void {
  if (!hasOutbox(copy)) return
  copy.prepare(SQL.cancel).run()
  copy.prepare(SQL.forget).run()
  copy.prepare(SQL.skip).run()
  if (enabled === null) return
  const known = new Set(enabled)
  const at = new Date().toISOString()
  const disable = copy.prepare<[string, string]>(SQL.disable)
  for (const id of enabledWebhooks(copy) ?? []) if (!known.has(id)) disable.run(at, id)
}

function hasOutbox(database: Connection): boolean {
  return database.prepare<[], number>(SQL.hasOutbox).pluck().get() === 1
}
