/** What becomes of the devices that were offered a release, counted by release. */
export const health = {
  number: 15,
  name: 'health',
  sql: `
    -- The release that the device was last offered, its progress and its usual interval in one number, 0 before the
    -- first check-in that knows of it; and the Unix time in seconds of the first offer.
    ALTER TABLE device_states ADD COLUMN episode INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE device_states ADD COLUMN offered_at INTEGER NOT NULL DEFAULT 0;
    -- In check_ins, kind contains the same without the interval, times 256: a start continues where the rows are behind.
    ALTER TABLE telemetry_state ADD COLUMN last_release INTEGER NOT NULL DEFAULT 0;

    -- Releases that a device was offered since, by the number that episodes have. offered_at: Unix ms of the first offer.
    CREATE TABLE offered_releases (
      number INTEGER PRIMARY KEY,
      release_id TEXT NOT NULL UNIQUE,
      channel_key INTEGER NOT NULL,
      version TEXT NOT NULL,
      offered_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX offered_releases_of_channel ON offered_releases (channel_key, number);

    -- Devices by phase, waiting ones by the hour from which they are silent, and adoptions by the time that they took.
    CREATE TABLE release_counts (
      release INTEGER NOT NULL,
      cell INTEGER NOT NULL,
      devices INTEGER NOT NULL,
      PRIMARY KEY (release, cell)
    ) STRICT, WITHOUT ROWID;

    -- What the counters said at an age of the release, in hours since the first offer. Newest releases only.
    CREATE TABLE health_samples (
      release INTEGER NOT NULL,
      age INTEGER NOT NULL,
      waiting INTEGER NOT NULL,
      adopted INTEGER NOT NULL,
      stuck INTEGER NOT NULL,
      reverted INTEGER NOT NULL,
      silent INTEGER NOT NULL,
      reported INTEGER NOT NULL,
      PRIMARY KEY (release, age)
    ) STRICT, WITHOUT ROWID;

    -- What apps reported in words: the newest 100 for each release.
    CREATE TABLE outcome_details (
      release INTEGER NOT NULL,
      check_in INTEGER NOT NULL,
      device INTEGER NOT NULL,
      at INTEGER NOT NULL,
      detail TEXT NOT NULL,
      PRIMARY KEY (release, check_in)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outcome_details_of_device ON outcome_details (device);
  `,
}
