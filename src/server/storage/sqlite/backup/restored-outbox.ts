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
  hasBrowsers:
    "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'push_subscriptions'",
  browsers: 'SELECT * FROM push_subscriptions',
  key: 'SELECT push_key FROM outbox_state',
  removeBrowsers: 'DELETE FROM push_subscriptions',
  insertBrowser: `INSERT INTO push_subscriptions (id, account_id, session_id, endpoint, p256dh, auth,
      user_agent, created_at, failing_since, dropped, since)
    SELECT @id, id, NULL, @endpoint, @p256dh, @auth, @user_agent, @created_at, @failing_since, @dropped,
      (SELECT coalesce(max(id), 0) FROM audit)
    FROM accounts WHERE id = @account_id AND disabled_at IS NULL`,
  setKey: 'UPDATE outbox_state SET push_key = ?',
} as const

/** The browsers that get push notifications, which know the server by its key. */
export interface StoredBrowsers {
  readonly key: string | null
  readonly rows: readonly Readonly<Record<string, string | number | null>>[]
}

/** Reads what `silenceOutbox` leaves in a copy; null for a database from before there were push notifications. */
export function storedBrowsers(database: Connection): StoredBrowsers | null {
  if (database.prepare<[], number>(SQL.hasBrowsers).pluck().get() !== 1) return null
  return {
    key: database.prepare<[], string | null>(SQL.key).pluck().get() ?? null,
    rows: database.prepare<[], StoredBrowsers['rows'][number]>(SQL.browsers).all(),
  }
}

/** What a copy takes over of the outbox of now. */
export interface LaterOutbox {
  readonly webhooks: EnabledWebhooks
  readonly browsers: StoredBrowsers | null
}

/** The webhooks of a database that are sent to; null for a database from before there were webhooks. */
export type EnabledWebhooks = readonly string[] | null

/** Reads what `silenceOutbox` leaves enabled in a copy. */
export function enabledWebhooks(database: Connection): EnabledWebhooks {
  if (!hasOutbox(database)) return null
  return database.prepare<[], string>(SQL.enabled).pluck().all()
}

/**
 * Keeps a copy that is about to be restored from sending again what was sent since the backup: cancels what waits,
 * and skips every entry of the audit log so far. Webhooks that were disabled or deleted since are disabled. Push
 * notifications go to the browsers of now alone, those of people who can still sign in. Inside a transaction, after the
 * people were restored and the last entry of the restore was written.
 */
export function silenceOutbox(
  copy: Connection,
  { webhooks: enabled, browsers }: LaterOutbox,
): void {
  if (!hasOutbox(copy)) return
  replaceBrowsers(copy, browsers)
  copy.prepare(SQL.cancel).run()
  copy.prepare(SQL.forget).run()
  copy.prepare(SQL.skip).run()
  if (enabled === null) return
  const known = new Set(enabled)
  const at = new Date().toISOString()
  const disable = copy.prepare<[string, string]>(SQL.disable)
  for (const id of enabledWebhooks(copy) ?? []) if (!known.has(id)) disable.run(at, id)
}

function replaceBrowsers(copy: Connection, browsers: StoredBrowsers | null): void {
  if (storedBrowsers(copy) === null) return
  copy.prepare(SQL.removeBrowsers).run()
  if (browsers === null) return
  const insert = copy.prepare<[object]>(SQL.insertBrowser)
  for (const row of browsers.rows) insert.run(row)
  if (browsers.key !== null) copy.prepare<[string]>(SQL.setKey).run(browsers.key)
}

function hasOutbox(database: Connection): boolean {
  return database.prepare<[], number>(SQL.hasOutbox).pluck().get() === 1
}
