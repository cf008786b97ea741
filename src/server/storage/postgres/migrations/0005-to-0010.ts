export const from5to10 = [
  /** Finds the devices of an app by the beginning of their id, ignoring case. Check-ins change neither. */
  {
    number: 5,
    name: 'device-search',
    sql: 'CREATE INDEX devices_by_lower_id ON devices (app_key, lower(device_id), device_id)',
  },
  /**
   * What lists and removals need. None of the indexes has a column that an ordinary check-in changes, so that the update of a
   * device stays on its page: its profile changes with its version only, and its arrival never. The index of the log by time
   * is a summary of each few pages.
   */
  {
    number: 6,
    name: 'device-lists',
    sql: `
    CREATE INDEX devices_of_profile ON devices (profile, id);
    CREATE INDEX devices_by_arrival ON devices (app_key, first_seen, id);
    CREATE INDEX check_ins_by_time ON check_ins USING brin (at) WITH (pages_per_range = 16, autosummarize = on);

    -- Channels that take no check-ins, because a node is removing them. It extends the time while it does.
    CREATE TABLE closing_channels (
      channel_key integer PRIMARY KEY,
      until timestamptz NOT NULL
    );
  `,
  },
  /**
   * What all nodes have used of limits that they share. Written many times a second, and worth nothing after a minute, so
   * without a log: after a crash or a failover, all limits are unused.
   */
  {
    number: 7,
    name: 'rate-limits',
    sql: `
    CREATE UNLOGGED TABLE rate_limits (
      name text COLLATE "C" PRIMARY KEY,
      -- When the bucket is full again; in the past if it is full.
      full_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`,
  },
  /** What sign-ins leave for their next step, for all nodes. With a log, unlike limits: what was used once stays used. */
  {
    number: 8,
    name: 'sign-in-state',
    sql: `
    CREATE TABLE sign_in_key (
      one smallint PRIMARY KEY CHECK (one = 1),
      key text NOT NULL
    );

    CREATE TABLE sign_in_entries (
      name text COLLATE "C" PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      value text COLLATE "C" NOT NULL,
      until timestamptz NOT NULL
    );
    CREATE INDEX sign_in_entries_of_owner ON sign_in_entries (owner, until);
    CREATE INDEX sign_in_entries_by_end ON sign_in_entries (until);

    CREATE TABLE sign_in_attempts (
      name text COLLATE "C" PRIMARY KEY,
      -- When nothing counts any more; in the past if nothing does.
      full_at timestamptz NOT NULL,
      -- Milliseconds in which all attempts are allowed again.
      period double precision NOT NULL,
      -- Whether the last attempt was one too many.
      refused boolean NOT NULL
    ) WITH (fillfactor = 50);
    CREATE INDEX sign_in_attempts_by_end ON sign_in_attempts (full_at);`,
  },
  /** A function that 16 replaces. */
  { number: 9, name: 'faster-writes', sql: '' },
  /** The files that nodes keep for devices, and what has arrived of uploads: where the bytes are, all nodes reach. */
  {
    number: 10,
    name: 'stored-files',
    sql: `
    CREATE TABLE stored_files (
      -- Lower-case hex.
      sha512 text COLLATE "C" PRIMARY KEY,
      name text COLLATE "C" NOT NULL,
      size bigint NOT NULL,
      -- When it was uploaded or last asked for: Unix time in milliseconds.
      stored_at bigint NOT NULL,
      -- Of its object; null in a folder.
      key text COLLATE "C",
      -- It was not there, or had another size, when it was last looked at.
      lost boolean NOT NULL DEFAULT false
    );

    CREATE TABLE uploads (
      id text COLLATE "C" PRIMARY KEY,
      owner text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      size bigint NOT NULL,
      -- What it must have; null if the uploader did not say.
      announced text COLLATE "C",
      arrived bigint NOT NULL DEFAULT 0 CHECK (arrived <= size),
      touched_at bigint NOT NULL,
      -- Whether the audit log has it.
      recorded boolean NOT NULL DEFAULT false,
      -- The SHA-512 of the file that it has become.
      file text COLLATE "C"
    );
    CREATE INDEX uploads_by_time ON uploads (touched_at);

    CREATE TABLE upload_pieces (
      upload text COLLATE "C" NOT NULL REFERENCES uploads ON DELETE CASCADE,
      start bigint NOT NULL,
      name text COLLATE "C" NOT NULL,
      PRIMARY KEY (upload, start)
    );`,
  },
]
