export const from14to23 = [
  /**
   * Proven artifacts: what an app's artifacts are proven against, what a channel does about it, what the last proof of
   * each artifact found, and which releases are paused until they are proven.
   */
  {
    number: 14,
    name: 'proving',
    sql: `
    ALTER TABLE apps ADD COLUMN minisign_key TEXT;
    ALTER TABLE apps ADD COLUMN artifact_hosts TEXT NOT NULL DEFAULT '[]'
      CHECK (json_valid(artifact_hosts));
    ALTER TABLE channels ADD COLUMN proving TEXT NOT NULL DEFAULT 'off'
      CHECK (proving IN ('off', 'warn', 'required'));
    ALTER TABLE releases ADD COLUMN awaits_proof INTEGER NOT NULL DEFAULT 0
      CHECK (awaits_proof IN (0, 1));

    -- The last proof of an artifact, which its release and its position there name.
    CREATE TABLE proofs (
      release_id TEXT NOT NULL REFERENCES releases (id),
      position INTEGER NOT NULL,
      checked_at TEXT NOT NULL,
      proven_at TEXT,
      failure TEXT CHECK (json_valid(failure)),
      signature TEXT CHECK (signature IN ('valid', 'unsigned', 'unchecked')),
      -- Proofs in a row that failed.
      failures INTEGER NOT NULL,
      due_at TEXT NOT NULL,
      -- Since when people have been told that it fails; null if they have not.
      alarmed_at TEXT,
      PRIMARY KEY (release_id, position)
    ) STRICT, WITHOUT ROWID;
  `,
  },
  /** What becomes of the devices that were offered a release, counted by release. */
  {
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
  },
  /** Devices that are in every rollout of a channel above 0%, and whether checks that a person asks for are. */
  {
    number: 16,
    name: 'early access',
    sql: `
    -- The device IDs and targets of the list.
    ALTER TABLE channels ADD COLUMN early_access TEXT NOT NULL
      DEFAULT '{"deviceIds":[],"targets":[]}' CHECK (json_valid(early_access));
    ALTER TABLE channels ADD COLUMN manual_checks INTEGER NOT NULL DEFAULT 0
      CHECK (manual_checks IN (0, 1));
  `,
  },
  /** Rollout plans: the steps of a release that are applied by themselves, and the days of an app on which none is. */
  {
    number: 17,
    name: 'plans',
    sql: `
    CREATE TABLE plans (
      release_id TEXT NOT NULL PRIMARY KEY REFERENCES releases (id),
      plan TEXT NOT NULL CHECK (json_valid(plan)),
      -- Those of the release, without the rings of the plan.
      targets TEXT NOT NULL CHECK (json_valid(targets)),
      status TEXT NOT NULL CHECK (status IN ('running', 'suspended', 'stopped', 'finished')),
      -- Why it is suspended or stopped.
      reason TEXT,
      -- Since when it has that status.
      since TEXT NOT NULL,
      -- Steps applied so far.
      step INTEGER NOT NULL CHECK (step >= 0),
      applied_at TEXT,
      soak_since TEXT,
      -- Whether its steps may be applied where approval is required.
      approved INTEGER NOT NULL CHECK (approved IN (0, 1)),
      -- Another one after every change.
      revision TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX plans_by_status ON plans (status);
    ALTER TABLE apps ADD COLUMN freezes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(freezes));
  `,
  },
  /** Plans that were stopped by the failures of their releases: why, and what a person accepted who resumed them. */
  {
    number: 18,
    name: 'stopped-plans',
    sql: `
    -- The reasons of the judge; null for a plan that failures did not stop.
    ALTER TABLE plans ADD COLUMN stop_reasons TEXT CHECK (json_valid(stop_reasons));
    -- What was observed of the release when a person let it go on after that, which does not count again.
    ALTER TABLE plans ADD COLUMN accepted TEXT CHECK (json_valid(accepted));
  `,
  },
  /** Since when the release of a running plan seems to fail, so that a restart does not begin the hour before a stop anew. */
  {
    number: 19,
    name: 'suspected-plans',
    sql: `
    -- ISO 8601, UTC; null while the last look at the release found nothing.
    ALTER TABLE plans ADD COLUMN suspected_since TEXT;
  `,
  },
  /** What the state of a device is worth as evidence about a release, and whether new devices count on a channel. */
  {
    number: 22,
    name: 'evidence',
    sql: `
    -- Weight, network and whether a key vouches for the device: fleet/health/weight.ts. 0 as long as that is
    -- not known. In release_counts, cells 1,000 to 5,095 and from 2^21 on count devices by weight.
    ALTER TABLE device_states ADD COLUMN evidence INTEGER NOT NULL DEFAULT 0;
    -- 1: devices that anyone can have invented count toward the stops and gates of plans.
    ALTER TABLE channels ADD COLUMN count_new_devices INTEGER NOT NULL DEFAULT 0;
  `,
  },
  /**
   * What devices weigh that came to their state before weights were counted: whether they were known before the release was
   * first offered, and seen on a later day. Their network is not known, so they are counted in none. The server counts them
   * by weight when it starts, as it corrects all counters of devices.
   */
  {
    number: 23,
    name: 'known-devices',
    sql: `
    UPDATE device_states
      SET evidence = evidence | CASE WHEN r.offered_at / 1000 - d.first_seen / 1000 >= 604800 THEN 3 ELSE 1 END
      FROM devices AS d, offered_releases AS r
      WHERE d.id = device_states.device AND r.number = device_states.episode / 134217728
        AND device_states.evidence & 3 = 0 AND device_states.evidence / 8 = 0
        AND d.first_seen / 1000 < r.offered_at / 1000
        AND device_states.last_seen / 86400000 > d.first_seen / 86400000;

    -- What cannot be recounted from devices, without what is counted by weight already: adoptions by devices that moved on
    -- (8), devices that were stuck and then adopted (9), slow adoptions (10, the times from 98 on).
    INSERT INTO release_counts (release, cell, devices)
      SELECT release, 2097152 + 1000 + kind, sum(devices)
      FROM (
        SELECT release, CASE WHEN cell < 64 THEN cell ELSE 10 END AS kind, devices FROM release_counts
          WHERE cell IN (8, 9) OR cell BETWEEN 98 AND 127
        UNION ALL
        SELECT release, (cell % 2097152 - 1000) % 16, -devices FROM release_counts
          WHERE cell % 2097152 BETWEEN 1000 AND 9999 AND (cell % 2097152 - 1000) % 16 IN (8, 9, 10)
      )
      WHERE true
      GROUP BY release, kind HAVING sum(devices) > 0
    ON CONFLICT (release, cell) DO UPDATE SET devices = devices + excluded.devices;
  `,
  },
]
