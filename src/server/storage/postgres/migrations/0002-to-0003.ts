export const from2to3 = [
  /** Accounts and their sessions, webhooks, and the outbox of what is sent to them and by mail. */
  {
    number: 2,
    name: 'people',
    readableFrom: 2,
    sql: `
    CREATE TABLE people_state (
      one smallint PRIMARY KEY CHECK (one = 1),
      revision bigint NOT NULL
    );
    INSERT INTO people_state VALUES (1, 1);

    CREATE TABLE accounts (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL UNIQUE,
      email text,
      server_role text CHECK (server_role IN ('viewer', 'release_manager', 'administrator')),
      created_at text COLLATE "C" NOT NULL,
      disabled_at text COLLATE "C",
      last_seen_at text COLLATE "C",
      password_hash text
    );

    -- What belongs to an account goes with it.
    CREATE TABLE account_app_roles (
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      app_key integer NOT NULL REFERENCES apps (key),
      role text NOT NULL CHECK (role IN ('viewer', 'release_manager', 'administrator')),
      PRIMARY KEY (account_id, app_key)
    );

    CREATE TABLE sessions (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      kind text NOT NULL DEFAULT 'browser' CHECK (kind IN ('browser', 'command_line')),
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      token_hash text COLLATE "C" NOT NULL UNIQUE,
      created_at text COLLATE "C" NOT NULL,
      last_used_at text COLLATE "C" NOT NULL,
      expires_at text COLLATE "C" NOT NULL,
      address text NOT NULL,
      user_agent text NOT NULL
    );
    CREATE INDEX sessions_of_account ON sessions (account_id);

    CREATE TABLE account_links (
      token_hash text COLLATE "C" NOT NULL PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('setup', 'invitation', 'reset')),
      account_id text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
      created_at text COLLATE "C" NOT NULL,
      expires_at text COLLATE "C" NOT NULL,
      CHECK ((kind = 'setup') = (account_id IS NULL))
    );
    CREATE INDEX account_links_of_account ON account_links (account_id);

    CREATE TABLE passkeys (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      name text NOT NULL,
      public_key text NOT NULL,
      counter bigint NOT NULL,
      transports json NOT NULL,
      created_at text COLLATE "C" NOT NULL,
      last_used_at text COLLATE "C"
    );
    CREATE INDEX passkeys_of_account ON passkeys (account_id);

    CREATE TABLE totp_secrets (
      account_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
      secret text NOT NULL,
      last_step bigint NOT NULL,
      created_at text COLLATE "C" NOT NULL
    );

    CREATE TABLE recovery_codes (
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      hash text COLLATE "C" NOT NULL,
      PRIMARY KEY (account_id, hash)
    );

    CREATE TABLE account_identities (
      issuer text COLLATE "C" NOT NULL,
      subject text COLLATE "C" NOT NULL,
      account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
      created_at text COLLATE "C" NOT NULL,
      PRIMARY KEY (issuer, subject)
    );
    CREATE INDEX account_identities_of_account ON account_identities (account_id);

    CREATE TABLE outbox_state (
      one smallint PRIMARY KEY CHECK (one = 1),
      audit_cursor bigint NOT NULL,
      -- The entry of the audit log after which events are mailed; null while no mail is configured.
      mail_since bigint,
      -- The alarms of the server that are raised.
      alarms json NOT NULL,
      revision bigint NOT NULL
    );
    INSERT INTO outbox_state VALUES (1, 0, NULL, '[]', 1);

    CREATE TABLE webhooks (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      name text NOT NULL,
      url text NOT NULL,
      format text NOT NULL CHECK (format IN ('standard', 'slack', 'discord', 'teams')),
      events json NOT NULL,
      app_key integer REFERENCES apps (key),
      secret text NOT NULL,
      previous_secret text,
      previous_until text COLLATE "C",
      created_at text COLLATE "C" NOT NULL,
      disabled_at text COLLATE "C",
      disabled_by text CHECK (disabled_by IN ('person', 'failures', 'restore')),
      -- The entry of the audit log after which events are sent.
      since bigint NOT NULL,
      failing_since text COLLATE "C",
      dropped bigint NOT NULL DEFAULT 0,
      revision bigint NOT NULL,
      CHECK ((disabled_at IS NULL) = (disabled_by IS NULL)),
      CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
    );
    CREATE INDEX webhooks_of_app ON webhooks (app_key);

    CREATE TABLE deliveries (
      id text COLLATE "C" NOT NULL PRIMARY KEY,
      webhook_id text COLLATE "C" REFERENCES webhooks (id) ON DELETE CASCADE,
      mail_to text,
      type text NOT NULL,
      payload json NOT NULL,
      state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'canceled')),
      created_at text COLLATE "C" NOT NULL,
      give_up_at text COLLATE "C" NOT NULL,
      next_at text COLLATE "C",
      tries integer NOT NULL DEFAULT 0,
      attempts json NOT NULL,
      CHECK ((webhook_id IS NULL) <> (mail_to IS NULL)),
      CHECK ((state = 'pending') = (next_at IS NOT NULL))
    );
    CREATE INDEX deliveries_due ON deliveries (webhook_id, state, next_at);
    CREATE INDEX deliveries_by_time ON deliveries (webhook_id, created_at);
  `,
  },
  /** The nodes that serve from this database, and which of them leads what. Times are those of the database. */
  {
    number: 3,
    name: 'nodes',
    readableFrom: 3,
    sql: `
    CREATE TABLE nodes (
      -- Given out once: a process that starts again is another node.
      id integer GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
      -- The counters that it writes, apart from those of every other live node.
      slot smallint NOT NULL,
      name text NOT NULL,
      version text NOT NULL,
      -- The newest migration that it knows.
      schema integer NOT NULL,
      address text,
      started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- Its last committed batch of check-ins.
      batch bigint NOT NULL DEFAULT 0,
      lost bigint NOT NULL DEFAULT 0,
      -- What it tells about itself, for people.
      state json NOT NULL DEFAULT '{}',
      -- It has stopped, or another node took over what it held: nothing of it is stored from then on.
      ended_at timestamptz
    );
    CREATE UNIQUE INDEX nodes_slots ON nodes (slot) WHERE ended_at IS NULL;

    -- Of every node that has not ended. Apart from its row in nodes, which each batch of check-ins locks until it commits.
    CREATE TABLE leases (
      node integer PRIMARY KEY REFERENCES nodes (id) ON DELETE CASCADE,
      -- It may serve until then, and no change is answered before it serves the change or this time is over. Null while it
      -- may not serve; only a node that serves the current revisions gets a lease again.
      lease_until timestamptz,
      seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- What it serves.
      catalog_revision bigint NOT NULL DEFAULT 0,
      people_revision bigint NOT NULL DEFAULT 0
    );

    CREATE TABLE leaders (
      name text COLLATE "C" PRIMARY KEY,
      node integer NOT NULL,
      -- Grows with every change of the leader.
      term bigint NOT NULL
    );
  `,
  },
]
