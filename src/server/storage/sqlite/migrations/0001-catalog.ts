/**
 * The triggers are the last line of defence behind the rules of the catalog: no bug and no
 * hand-written statement can take back what devices were offered.
 */
export const catalog = {
  number: 1,
  name: 'catalog',
  sql: `
    CREATE TABLE catalog_state (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      revision INTEGER NOT NULL
    ) STRICT;
    INSERT INTO catalog_state VALUES (1, 0);

    CREATE TABLE apps (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      ref TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE channels (
      key INTEGER PRIMARY KEY AUTOINCREMENT,
      app_key INTEGER NOT NULL REFERENCES apps (key),
      name TEXT NOT NULL,
      update_mode TEXT NOT NULL CHECK (update_mode IN ('optional', 'required')),
      minimum_supported_version TEXT NOT NULL,
      rollback TEXT NOT NULL CHECK (rollback IN ('downgrade', 'roll-forward')),
      created_at TEXT NOT NULL,
      revision INTEGER NOT NULL,
      UNIQUE (app_key, name),
      UNIQUE (key, app_key)
    ) STRICT;

    -- revision is the channel's revision when the release last changed.
    -- notes come last: they can be a megabyte, and the columns before them are read without them.
    CREATE TABLE releases (
      id TEXT NOT NULL PRIMARY KEY,
      app_key INTEGER NOT NULL,
      channel_key INTEGER NOT NULL,
      version TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('published', 'paused', 'rolled_back')),
      rollout_pct INTEGER NOT NULL CHECK (rollout_pct BETWEEN 0 AND 100),
      targets TEXT NOT NULL CHECK (json_valid(targets)),
      offered INTEGER NOT NULL CHECK (offered IN (0, 1)),
      created_at TEXT NOT NULL,
      revision INTEGER NOT NULL,
      notes TEXT NOT NULL,
      UNIQUE (channel_key, version),
      FOREIGN KEY (channel_key, app_key) REFERENCES channels (key, app_key)
    ) STRICT;
    CREATE INDEX releases_newest ON releases (created_at, id);
    CREATE INDEX releases_newest_of_app ON releases (app_key, created_at, id);
    CREATE INDEX releases_newest_of_channel ON releases (channel_key, created_at, id);
    CREATE INDEX releases_changed ON releases (channel_key, revision);

    -- Artifacts are written before their release, which then closes them: see artifacts_closed.
    CREATE TABLE artifacts (
      release_id TEXT NOT NULL REFERENCES releases (id) DEFERRABLE INITIALLY DEFERRED,
      position INTEGER NOT NULL,
      platform TEXT NOT NULL,
      arch TEXT NOT NULL,
      url TEXT NOT NULL,
      sha512 TEXT NOT NULL,
      size INTEGER NOT NULL CHECK (size >= 0),
      signature TEXT NOT NULL,
      PRIMARY KEY (release_id, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE api_keys (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      prefix TEXT NOT NULL,
      hash TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      scopes TEXT NOT NULL CHECK (json_valid(scopes)),
      app_key INTEGER REFERENCES apps (key),
      created_at TEXT NOT NULL,
      last_used_at TEXT,
      revoked_at TEXT
    ) STRICT;

    CREATE TABLE audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      actor_kind TEXT NOT NULL CHECK (actor_kind IN ('key', 'command_line', 'console')),
      actor_name TEXT NOT NULL,
      action TEXT NOT NULL,
      app TEXT,
      channel TEXT,
      version TEXT,
      before TEXT NOT NULL CHECK (json_valid(before)),
      after TEXT NOT NULL CHECK (json_valid(after))
    ) STRICT;

    CREATE TRIGGER releases_immutable
    BEFORE UPDATE OF id, app_key, channel_key, version, notes, created_at ON releases
    BEGIN
      SELECT RAISE(ABORT, 'a release is immutable: its channel, version, notes and creation time never change');
    END;

    CREATE TRIGGER releases_never_deleted BEFORE DELETE ON releases
    BEGIN
      SELECT RAISE(ABORT, 'a release is never deleted: roll it back instead');
    END;

    CREATE TRIGGER releases_rolled_back_for_good
    BEFORE UPDATE OF status, rollout_pct, targets ON releases
    WHEN OLD.status = 'rolled_back' AND (
      NEW.status <> OLD.status OR NEW.rollout_pct <> OLD.rollout_pct OR NEW.targets <> OLD.targets
    )
    BEGIN
      SELECT RAISE(ABORT, 'a rolled-back release can never be served again');
    END;

    CREATE TRIGGER releases_offered_for_good BEFORE UPDATE OF offered ON releases
    WHEN NEW.offered < OLD.offered
    BEGIN
      SELECT RAISE(ABORT, 'a release that was offered stays offered');
    END;

    CREATE TRIGGER releases_rollout_only_grows BEFORE UPDATE OF rollout_pct ON releases
    WHEN OLD.offered = 1 AND NEW.rollout_pct < OLD.rollout_pct
    BEGIN
      SELECT RAISE(ABORT, 'the rollout of an offered release can only grow');
    END;

    CREATE TRIGGER artifacts_closed BEFORE INSERT ON artifacts
    WHEN EXISTS (SELECT 1 FROM releases WHERE id = NEW.release_id)
    BEGIN
      SELECT RAISE(ABORT, 'a release is immutable: no artifact can be added');
    END;

    CREATE TRIGGER artifacts_immutable BEFORE UPDATE ON artifacts
    BEGIN
      SELECT RAISE(ABORT, 'a release is immutable: its artifacts never change');
    END;

    CREATE TRIGGER artifacts_never_deleted BEFORE DELETE ON artifacts
    BEGIN
      SELECT RAISE(ABORT, 'a release is immutable: its artifacts are never deleted');
    END;

    CREATE TRIGGER audit_immutable BEFORE UPDATE ON audit
    BEGIN
      SELECT RAISE(ABORT, 'the audit log is append-only');
    END;
  `,
}
