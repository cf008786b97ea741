import { auditFor } from './0007-to-0008.ts'

export const from9to13 = [
  /**
   * Channels can require approval, keys can be exempt from it, and changes that were proposed wait for a second
   * person. Entries of the audit log can be made by the server itself.
   */
  {
    number: 9,
    name: 'approvals',
    sql: `
    ALTER TABLE channels ADD COLUMN require_approval INTEGER NOT NULL DEFAULT 0
      CHECK (require_approval IN (0, 1));
    ALTER TABLE api_keys ADD COLUMN bypass_approval INTEGER NOT NULL DEFAULT 0
      CHECK (bypass_approval IN (0, 1));

    CREATE TABLE change_requests (
      id TEXT NOT NULL PRIMARY KEY,
      app_key INTEGER NOT NULL REFERENCES apps (key),
      channel_key INTEGER NOT NULL REFERENCES channels (key),
      version TEXT NOT NULL,
      change TEXT NOT NULL CHECK (json_valid(change)),
      comment TEXT NOT NULL,
      preview TEXT NOT NULL CHECK (json_valid(preview)),
      proposer TEXT NOT NULL,
      proposed_by TEXT NOT NULL,
      proposed_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'open'
        CHECK (state IN ('open', 'applied', 'declined', 'withdrawn', 'expired')),
      closed_by TEXT,
      closed_at TEXT,
      closing_comment TEXT,
      CHECK ((state = 'open') = (closed_at IS NULL))
    ) STRICT;
    CREATE INDEX change_requests_of_app ON change_requests (app_key, state, proposed_at);
    CREATE INDEX change_requests_of_channel ON change_requests (channel_key);
    CREATE INDEX change_requests_by_state ON change_requests (state, expires_at);

    ${auditFor(
      `
        CHECK (actor_kind IN ('key', 'command_line', 'console', 'person', 'server'))`,
      'address',
    )}
  `,
  },
  /** The command line has sessions of its own, and the audit log names it as the way that a person made a change. */
  {
    number: 10,
    name: 'command-line',
    sql: `
    ALTER TABLE sessions ADD COLUMN kind TEXT NOT NULL DEFAULT 'browser'
      CHECK (kind IN ('browser', 'command_line'));
    ALTER TABLE audit ADD COLUMN via TEXT CHECK (via IN ('command_line'));
  `,
  },
  /**
   * Webhooks, and the outbox of what is sent to them and by mail. Entries of the audit log up to the cursor have
   * been turned into deliveries; those from before this migration never are. Accounts can have an e-mail address.
   */
  {
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
  },
  /** Artifacts have a kind of bundle; empty if it is not given. Releases that wait for approval get it too. */
  {
    number: 12,
    name: 'bundle kinds',
    sql: `
    ALTER TABLE artifacts ADD COLUMN kind TEXT NOT NULL DEFAULT '';

    UPDATE change_requests SET change = json_set(change, '$.artifacts', json((
        SELECT json_group_array(json_set(a.value, '$.kind', '') ORDER BY a.key)
        FROM json_each(change, '$.artifacts') a
      )))
      WHERE json_type(change, '$.artifacts') = 'array';
  `,
  },
  /** Releases that are being put together, one for each channel and version. Their artifacts are kept as JSON. */
  {
    number: 13,
    name: 'drafts',
    sql: `
    CREATE TABLE drafts (
      app_key INTEGER NOT NULL REFERENCES apps (key),
      channel_key INTEGER NOT NULL REFERENCES channels (key),
      version TEXT NOT NULL,
      artifacts TEXT NOT NULL CHECK (json_valid(artifacts)),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      -- Another one after every change.
      revision TEXT NOT NULL,
      notes TEXT NOT NULL,
      PRIMARY KEY (channel_key, version)
    ) STRICT;
    CREATE INDEX drafts_of_app ON drafts (app_key);
    CREATE INDEX drafts_by_expiry ON drafts (expires_at);
  `,
  },
]
