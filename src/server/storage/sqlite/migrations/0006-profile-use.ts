/**
 * Profiles from callers without a key are limited by budgets and deleted when nothing uses them. If invented
 * versions have used up the profiles of a database, those that no device ever had are deleted now, and the
 * others when their check-ins are deleted.
 */
export const profileUse = {
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
}
