/**
 * Webhooks, and the outbox of what is sent to them and by mail. Entries of the audit log up to the cursor have
 * been turned into deliveries; those from before this migration never are. Accounts can have an e-mail address.
 */
export const outbox = {
  number: 11,
  name: 'outbox',
  sql: `
    ALTER TABLE accounts ADD COLUMN email TEXT;

    CREATE TABLE outbox_state (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      audit_cursor INTEGER NOT NULL,
      -- The entry of the audit log after which events are mailed; null while no mail is configured.
      mail_since INTEGER,
      -- The alarms of the server that are raised.
      alarms TEXT NOT NULL CHECK (json_valid(alarms)),
      revision INTEGER NOT NULL
    ) STRICT;
    INSERT INTO outbox_state SELECT 1, coalesce(max(id), 0), NULL, '[]', 1 FROM audit;

    CREATE TABLE webhooks (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      url TEXT NOT NULL,
      format TEXT NOT NULL CHECK (format IN ('standard', 'slack', 'discord', 'teams')),
      events TEXT NOT NULL CHECK (json_valid(events)),
      app_key INTEGER REFERENCES apps (key),
      secret TEXT NOT NULL,
      previous_secret TEXT,
      previous_until TEXT,
      created_at TEXT NOT NULL,
      disabled_at TEXT,
      disabled_by TEXT CHECK (disabled_by IN ('person', 'failures', 'restore')),
      -- The entry of the audit log after which events are sent.
      since INTEGER NOT NULL,
      failing_since TEXT,
      dropped INTEGER NOT NULL DEFAULT 0,
      revision INTEGER NOT NULL,
      CHECK ((disabled_at IS NULL) = (disabled_by IS NULL)),
      CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
    ) STRICT;
    CREATE INDEX webhooks_of_app ON webhooks (app_key);

    CREATE TABLE deliveries (
      id TEXT NOT NULL PRIMARY KEY,
      webhook_id TEXT REFERENCES webhooks (id) ON DELETE CASCADE,
      mail_to TEXT,
      type TEXT NOT NULL,
      payload TEXT NOT NULL CHECK (json_valid(payload)),
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'canceled')),
      created_at TEXT NOT NULL,
      give_up_at TEXT NOT NULL,
      next_at TEXT,
      tries INTEGER NOT NULL DEFAULT 0,
      attempts TEXT NOT NULL CHECK (json_valid(attempts)),
      CHECK ((webhook_id IS NULL) <> (mail_to IS NULL)),
      CHECK ((state = 'pending') = (next_at IS NOT NULL))
    ) STRICT;
    CREATE INDEX deliveries_due ON deliveries (webhook_id, state, next_at);
    CREATE INDEX deliveries_by_time ON deliveries (webhook_id, created_at);
  `,
}
