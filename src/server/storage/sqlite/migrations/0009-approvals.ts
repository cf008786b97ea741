/**
 * Channels can require approval, keys can be exempt from it, and changes that were proposed wait for a second
 * person. Entries of the audit log can be made by the server itself.
 */
export const approvals = {
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

    CREATE TABLE new_audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      actor_kind TEXT NOT NULL
        CHECK (actor_kind IN ('key', 'command_line', 'console', 'person', 'server')),
      actor_name TEXT NOT NULL,
      action TEXT NOT NULL,
      app TEXT,
      channel TEXT,
      version TEXT,
      before TEXT NOT NULL CHECK (json_valid(before)),
      after TEXT NOT NULL CHECK (json_valid(after)),
      address TEXT
    ) STRICT;
    INSERT INTO new_audit
      SELECT id, at, actor_kind, actor_name, action, app, channel, version, before, after, address
      FROM audit;
    DELETE FROM sqlite_sequence WHERE name = 'new_audit';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'new_audit', seq FROM sqlite_sequence WHERE name = 'audit';
    DROP TABLE audit;
    ALTER TABLE new_audit RENAME TO audit;
    CREATE INDEX audit_of_release ON audit (app, channel, version, id);
    CREATE INDEX audit_of_app ON audit (app, at);
    CREATE TRIGGER audit_immutable BEFORE UPDATE ON audit
    BEGIN
      SELECT RAISE(ABORT, 'the audit log is append-only');
    END;
    CREATE TRIGGER audit_never_deleted BEFORE DELETE ON audit
    BEGIN
      SELECT RAISE(ABORT, 'the audit log is append-only: an entry is never deleted');
    END;
  `,
}
