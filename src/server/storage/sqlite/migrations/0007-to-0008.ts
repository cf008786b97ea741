/** Returns the SQL that lets others act in the audit log: `check` is of `actor_kind`, and `address` where addresses come from. */
export const auditFor = (check: string, address: string) => `CREATE TABLE new_audit (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      actor_kind TEXT NOT NULL${check},
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
      SELECT id, at, actor_kind, actor_name, action, app, channel, version, before, after, ${address}
      FROM audit;
    -- An id is never given out twice, not even that of an entry that was deleted before deletions were refused.
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
    END;`

export const from7to8 = [
  /**
   * Devices can be deleted one by one, and the data of a device is bounded: only its latest version changes are
   * kept, and counters that return to zero have no row.
   */
  {
    number: 7,
    name: 'device-limits',
    sql: `
    -- 0 for a device whose first check-in came without a key. Devices from before this column count
    -- as keyed, unless the log still shows that they checked in once, without a key. CROSS JOIN keeps the
    -- log, which is much larger, from being read from end to end.
    ALTER TABLE devices ADD COLUMN keyed INTEGER NOT NULL DEFAULT 1 CHECK (keyed IN (0, 1));
    UPDATE devices SET keyed = 0 WHERE id IN (
      SELECT state.device FROM device_states AS state
      CROSS JOIN check_ins
      WHERE state.last_change = state.last_check_in
        AND check_ins.id = state.last_check_in AND check_ins.device = state.device
        AND check_ins.kind < 16
    );

    -- Each device keeps its newest 100 changes.
    DELETE FROM profile_changes WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY device ORDER BY id DESC) AS age
        FROM profile_changes
      ) WHERE age > 100
    );
    UPDATE profile_changes SET previous = 0 WHERE previous <> 0 AND NOT EXISTS (
      SELECT 1 FROM profile_changes AS older WHERE older.id = profile_changes.previous
    );

    DELETE FROM adoption WHERE devices = 0;
    DELETE FROM hourly_adoption WHERE devices = 0;
    DELETE FROM presence WHERE devices = 0;

    -- Numbers of deleted devices, each with the newest check-in that the log may have of it. A number is
    -- given out again once that check-in is deleted.
    CREATE TABLE freed_devices (
      device INTEGER PRIMARY KEY,
      last_check_in INTEGER NOT NULL
    ) STRICT;

    -- Deleted devices whose number was given out again: a remembered list of numbers is then outdated.
    ALTER TABLE telemetry_state ADD COLUMN reused INTEGER NOT NULL DEFAULT 0;

    -- Devices that somebody asked to forget, until that is done.
    CREATE TABLE erasures (
      app_key INTEGER NOT NULL,
      device_id TEXT NOT NULL,
      PRIMARY KEY (app_key, device_id)
    ) STRICT, WITHOUT ROWID;
  `,
  },
  /**
   * Accounts and their sessions. Entries of the audit log can be made by a person, and name the address
   * that a change came from.
   */
  {
    number: 8,
    name: 'people',
    sql: `
    CREATE TABLE people_state (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      revision INTEGER NOT NULL
    ) STRICT;
    INSERT INTO people_state VALUES (1, 1);

    CREATE TABLE accounts (
      id TEXT NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      name_key TEXT NOT NULL UNIQUE,
      server_role TEXT CHECK (server_role IN ('viewer', 'release_manager', 'administrator')),
      created_at TEXT NOT NULL,
      disabled_at TEXT,
      last_seen_at TEXT,
      password_hash TEXT
    ) STRICT;

    -- What belongs to an account goes with it.
    CREATE TABLE account_app_roles (
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      app_key INTEGER NOT NULL REFERENCES apps (key),
      role TEXT NOT NULL CHECK (role IN ('viewer', 'release_manager', 'administrator')),
      PRIMARY KEY (account_id, app_key)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sessions (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      token_hash TEXT NOT NULL UNIQUE,
      created_at TEXT NOT NULL,
      last_used_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      address TEXT NOT NULL,
      user_agent TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sessions_of_account ON sessions (account_id);

    CREATE TABLE account_links (
      token_hash TEXT NOT NULL PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('setup', 'invitation', 'reset')),
      account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
      created_at TEXT NOT NULL,
      expires_at TEXT NOT NULL,
      CHECK ((kind = 'setup') = (account_id IS NULL))
    ) STRICT;
    CREATE INDEX account_links_of_account ON account_links (account_id);

    CREATE TABLE passkeys (
      id TEXT NOT NULL PRIMARY KEY,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      public_key TEXT NOT NULL,
      counter INTEGER NOT NULL,
      transports TEXT NOT NULL CHECK (json_valid(transports)),
      created_at TEXT NOT NULL,
      last_used_at TEXT
    ) STRICT;
    CREATE INDEX passkeys_of_account ON passkeys (account_id);

    CREATE TABLE totp_secrets (
      account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      secret TEXT NOT NULL,
      last_step INTEGER NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT;

    CREATE TABLE recovery_codes (
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      hash TEXT NOT NULL,
      PRIMARY KEY (account_id, hash)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE account_identities (
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      created_at TEXT NOT NULL,
      PRIMARY KEY (issuer, subject)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX account_identities_of_account ON account_identities (account_id);

    ${auditFor(" CHECK (actor_kind IN ('key', 'command_line', 'console', 'person'))", 'NULL')}
  `,
  },
]
