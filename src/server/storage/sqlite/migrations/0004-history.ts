/**
 * Recent check-ins and earlier versions of a device can be read without an index and without scanning the log:
 * the rows of a device are a chain of primary keys, from the newest back.
 */
export const history = {
  number: 4,
  name: 'history',
  sql: `
    -- The newest check-in and profile change of the device that its row contains.
    ALTER TABLE device_states ADD COLUMN last_check_in INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE device_states ADD COLUMN last_change INTEGER NOT NULL DEFAULT 0;

    -- The same device's check-in before this one; 0 for none. That row may be gone: retention
    -- deletes the oldest.
    ALTER TABLE check_ins ADD COLUMN previous INTEGER NOT NULL DEFAULT 0;

    -- One row when a device comes, and one when a check-in brings another profile. Its id is that
    -- of the check-in, so what follows telemetry_state.rows_through is not in the device rows yet.
    -- previous is the device's change before this one; 0 for none. Append only, and kept for as
    -- long as the device is known. The profile may be gone, with a channel that was removed.
    CREATE TABLE profile_changes (
      id INTEGER PRIMARY KEY,
      device INTEGER NOT NULL,
      at INTEGER NOT NULL,
      profile INTEGER NOT NULL,
      previous INTEGER NOT NULL
    ) STRICT;

    -- As adoption, by the UTC hour. Kept for 8 days.
    CREATE TABLE hourly_adoption (
      profile INTEGER NOT NULL,
      hour INTEGER NOT NULL,
      devices INTEGER NOT NULL,
      PRIMARY KEY (profile, hour)
    ) STRICT, WITHOUT ROWID;
  `,
}
