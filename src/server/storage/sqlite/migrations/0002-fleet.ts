export const fleet = {
  number: 2,
  name: 'fleet',
  sql: `
    CREATE TABLE profiles (
      id INTEGER PRIMARY KEY,
      channel_key INTEGER NOT NULL REFERENCES channels (key),
      version TEXT NOT NULL,
      platform TEXT NOT NULL,
      arch TEXT NOT NULL,
      UNIQUE (channel_key, version, platform, arch)
    ) STRICT;

    CREATE TABLE devices (
      id INTEGER PRIMARY KEY,
      app_key INTEGER NOT NULL REFERENCES apps (key),
      device_id TEXT NOT NULL,
      labels TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(labels)),
      first_seen INTEGER NOT NULL,
      UNIQUE (app_key, device_id)
    ) STRICT;

    -- What changes with every check-in, apart from what does not: 250 rows a page instead of 30.
    -- It follows the check-in log at a distance: see telemetry_state.rows_through.
    CREATE TABLE device_states (
      device INTEGER PRIMARY KEY REFERENCES devices (id),
      profile INTEGER NOT NULL REFERENCES profiles (id),
      last_seen INTEGER NOT NULL
    ) STRICT;

    -- The log: append only, no foreign keys and no second index, so that a row costs a microsecond.
    -- device is 0 for an anonymous check.
    CREATE TABLE check_ins (
      id INTEGER PRIMARY KEY,
      device INTEGER NOT NULL,
      at INTEGER NOT NULL,
      profile INTEGER NOT NULL,
      kind INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE adoption (
      profile INTEGER NOT NULL,
      day INTEGER NOT NULL,
      devices INTEGER NOT NULL,
      PRIMARY KEY (profile, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE presence (
      profile INTEGER NOT NULL,
      day INTEGER NOT NULL,
      devices INTEGER NOT NULL,
      PRIMARY KEY (profile, day)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE traffic (
      channel_key INTEGER NOT NULL,
      hour INTEGER NOT NULL,
      check_ins INTEGER NOT NULL,
      anonymous INTEGER NOT NULL,
      offers INTEGER NOT NULL,
      PRIMARY KEY (channel_key, hour)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE telemetry_state (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      batch INTEGER NOT NULL,
      last_check_in INTEGER NOT NULL,
      rows_through INTEGER NOT NULL,
      lost INTEGER NOT NULL
    ) STRICT;
    INSERT INTO telemetry_state VALUES (1, 0, 0, 0, 0);
  `,
}
