/**
 * Devices can be deleted one by one, and the data of a device is bounded: only its latest version changes are
 * kept, and counters that return to zero have no row.
 */
export const deviceLimits = {
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
}
