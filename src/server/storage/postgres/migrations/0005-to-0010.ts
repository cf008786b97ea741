export const from5to10 = [
  /** Finds the devices of an app by the beginning of their id, ignoring case. Check-ins change neither. */
  {
    number: 5,
    name: 'device-search',
    readableFrom: 4,
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
    readableFrom: 4,
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
    readableFrom: 4,
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
    readableFrom: 4,
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
  /**
   * Less work for each check-in than `write_telemetry_1`, which the version before calls: devices are found by the place of the
   * row that the transaction has locked, and arrays are read without a copy. All numbers are bigint, as nodes send them.
   */
  {
    number: 9,
    name: 'faster-writes',
    readableFrom: 4,
    sql: `
    -- As write_telemetry_1. d_tid: where the locked rows are. If one is not there, counters would be wrong, so it fails.
    CREATE FUNCTION write_telemetry_2(
      p_slot smallint,
      d_tid tid[], d_profile bigint[], d_seen bigint[], d_check_in bigint[], d_change bigint[],
      d_episode bigint[], d_offered_at bigint[],
      n_id bigint[], n_app bigint[], n_name text[], n_first_seen bigint[], n_profile bigint[],
      n_seen bigint[], n_check_in bigint[], n_change bigint[], n_episode bigint[], n_offered_at bigint[],
      n_keyed bigint[],
      l_id bigint[], l_device bigint[], l_at bigint[], l_profile bigint[], l_kind bigint[],
      l_previous bigint[],
      c_device bigint[], c_id bigint[], c_at bigint[], c_profile bigint[],
      a_profile bigint[], a_day bigint[], a_devices bigint[],
      h_profile bigint[], h_hour bigint[], h_devices bigint[],
      p_profile bigint[], p_day bigint[], p_devices bigint[],
      r_release bigint[], r_cell bigint[], r_devices bigint[],
      t_channel bigint[], t_hour bigint[], t_check_ins bigint[], t_anonymous bigint[], t_offers bigint[]
    ) RETURNS integer LANGUAGE plpgsql AS $$
      DECLARE added integer := 0; updated integer;
      BEGIN
        IF cardinality(d_tid) > 0 THEN
          UPDATE devices d SET profile = u.profile, last_seen = u.seen, last_check_in = u.check_in,
            last_change = u.change, episode = u.episode, offered_at = u.offered_at
          FROM (SELECT unnest(d_tid), unnest(d_profile), unnest(d_seen), unnest(d_check_in), unnest(d_change),
              unnest(d_episode), unnest(d_offered_at))
            AS u (tid, profile, seen, check_in, change, episode, offered_at)
          WHERE d.ctid = u.tid;
          GET DIAGNOSTICS updated = ROW_COUNT;
          IF updated <> cardinality(d_tid) THEN
            RAISE EXCEPTION 'updated % of % locked devices', updated, cardinality(d_tid);
          END IF;
        END IF;
        IF cardinality(n_id) > 0 THEN
          INSERT INTO devices (id, app_key, device_id, first_seen, profile, last_seen, last_check_in,
            last_change, episode, offered_at, keyed)
          SELECT unnest(n_id), unnest(n_app), unnest(n_name), unnest(n_first_seen), unnest(n_profile),
            unnest(n_seen), unnest(n_check_in), unnest(n_change), unnest(n_episode), unnest(n_offered_at),
            unnest(n_keyed)
          ON CONFLICT (app_key, device_id) DO NOTHING;
          GET DIAGNOSTICS added = ROW_COUNT;
        END IF;
        INSERT INTO check_ins (id, device, at, profile, kind, previous)
          SELECT unnest(l_id), unnest(l_device), unnest(l_at), unnest(l_profile), unnest(l_kind), unnest(l_previous);
        IF cardinality(c_id) > 0 THEN
          INSERT INTO profile_changes (device, id, at, profile)
            SELECT unnest(c_device), unnest(c_id), unnest(c_at), unnest(c_profile);
        END IF;
        IF cardinality(a_profile) > 0 THEN
          INSERT INTO adoption AS c (profile, day, slot, devices)
            SELECT unnest(a_profile), unnest(a_day), p_slot, unnest(a_devices)
          ON CONFLICT (profile, day, slot) DO UPDATE SET devices = c.devices + excluded.devices;
        END IF;
        IF cardinality(h_profile) > 0 THEN
          INSERT INTO hourly_adoption AS c (profile, hour, slot, devices)
            SELECT unnest(h_profile), unnest(h_hour), p_slot, unnest(h_devices)
          ON CONFLICT (profile, hour, slot) DO UPDATE SET devices = c.devices + excluded.devices;
        END IF;
        IF cardinality(p_profile) > 0 THEN
          INSERT INTO presence AS c (profile, day, slot, devices)
            SELECT unnest(p_profile), unnest(p_day), p_slot, unnest(p_devices)
          ON CONFLICT (profile, day, slot) DO UPDATE SET devices = c.devices + excluded.devices;
        END IF;
        IF cardinality(r_release) > 0 THEN
          INSERT INTO release_counts AS c (release, cell, slot, devices)
            SELECT unnest(r_release), unnest(r_cell), p_slot, unnest(r_devices)
          ON CONFLICT (release, cell, slot) DO UPDATE SET devices = c.devices + excluded.devices;
        END IF;
        INSERT INTO traffic AS c (channel_key, hour, slot, check_ins, anonymous, offers)
          SELECT unnest(t_channel), unnest(t_hour), p_slot, unnest(t_check_ins), unnest(t_anonymous), unnest(t_offers)
        ON CONFLICT (channel_key, hour, slot) DO UPDATE SET check_ins = c.check_ins + excluded.check_ins,
          anonymous = c.anonymous + excluded.anonymous, offers = c.offers + excluded.offers;
        RETURN added;
      END
    $$;
  `,
  },
  /** The files that nodes keep for devices, and what has arrived of uploads: where the bytes are, all nodes reach. */
  {
    number: 10,
    name: 'stored-files',
    readableFrom: 4,
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
