export const from2to6 = [
  {
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
  },
  /**
   * Apps can be archived, and apps and channels can be removed. A release is still removed only with its channel,
   * and an artifact only with its release: the parent is deleted first, which the foreign
   * keys refuse to every connection but the one that removes.
   */
  {
    number: 3,
    name: 'removal',
    sql: `
    ALTER TABLE apps ADD COLUMN archived_at TEXT;

    -- What was removed gives no number to what comes after: the check-in log still knows it.
    ALTER TABLE telemetry_state ADD COLUMN last_device INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE telemetry_state ADD COLUMN last_profile INTEGER NOT NULL DEFAULT 0;

    CREATE INDEX audit_of_release ON audit (app, channel, version, id);

    DROP TRIGGER releases_never_deleted;
    CREATE TRIGGER releases_never_deleted BEFORE DELETE ON releases
    WHEN EXISTS (SELECT 1 FROM channels WHERE key = OLD.channel_key)
    BEGIN
      SELECT RAISE(ABORT, 'a release is never deleted: roll it back instead');
    END;

    DROP TRIGGER artifacts_never_deleted;
    CREATE TRIGGER artifacts_never_deleted BEFORE DELETE ON artifacts
    WHEN EXISTS (SELECT 1 FROM releases WHERE id = OLD.release_id)
    BEGIN
      SELECT RAISE(ABORT, 'a release is immutable: its artifacts are never deleted');
    END;
  `,
  },
  /**
   * Recent check-ins and earlier versions of a device can be read without an index and without scanning the log:
   * the rows of a device are a chain of primary keys, from the newest back.
   */
  {
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
  },
  /**
   * Tidegate never deletes entries of the audit log, not even with the apps and channels that they are about. Now
   * no hand-written statement can delete them either, and the entries of one app since some time are found
   * without scanning the log.
   */
  {
    number: 5,
    name: 'audit',
    sql: `
    CREATE TRIGGER audit_never_deleted BEFORE DELETE ON audit
    BEGIN
      SELECT RAISE(ABORT, 'the audit log is append-only: an entry is never deleted');
    END;

    CREATE INDEX audit_of_app ON audit (app, at);
  `,
  },
  /**
   * Profiles from callers without a key are limited by budgets and deleted when nothing uses them. If invented
   * versions have used up the profiles of a database, those that no device ever had are deleted now, and the
   * others when their check-ins are deleted.
   */
  {
    number: 6,
    name: 'profile-use',
    sql: `
    -- Who vouches for the profile: 0 nobody, 1 a release of the channel, 2 a call with a key.
    ALTER TABLE profiles ADD COLUMN named_by INTEGER NOT NULL DEFAULT 0;
    -- UTC day of its last check-in, or of the last device that went to another profile.
    ALTER TABLE profiles ADD COLUMN last_day INTEGER NOT NULL DEFAULT 0;

    -- A device's check-in is in adoption, even where the device ran something else later that day.
    UPDATE profiles SET last_day =
      coalesce((SELECT max(day) FROM adoption WHERE profile = profiles.id), 0);
    -- Without a day in adoption: check-ins of devices that wait for their rows, and lost ones.
    UPDATE profiles SET last_day = max(last_day, 1) WHERE id IN (
      SELECT profile FROM check_ins
      WHERE device <> 0 AND id > (SELECT rows_through FROM telemetry_state)
      UNION SELECT profile FROM device_states
    );
    UPDATE profiles SET named_by = 1 WHERE last_day > 0 AND EXISTS (
      SELECT 1 FROM releases
      WHERE releases.channel_key = profiles.channel_key AND releases.version = profiles.version
    );

    -- Numbers are never given out again: the log of anonymous checks names them still.
    UPDATE telemetry_state SET
      last_profile = max(last_profile, (SELECT coalesce(max(id), 0) FROM profiles));
    DELETE FROM hourly_adoption WHERE profile IN (SELECT id FROM profiles WHERE last_day = 0);
    DELETE FROM presence WHERE profile IN (SELECT id FROM profiles WHERE last_day = 0);
    DELETE FROM profiles WHERE last_day = 0;

    -- What a batch could not store, newest last; the oldest are deleted.
    CREATE TABLE set_aside (
      id INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      batch INTEGER NOT NULL,
      statement TEXT NOT NULL,
      row TEXT NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;
  `,
  },
]
