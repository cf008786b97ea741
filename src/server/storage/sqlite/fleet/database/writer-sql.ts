/** Details of outcomes kept per release. */
const KEPT_DETAILS = 100

/** Check-ins that one statement stores: each costs two thirds of one by itself. */
export const CHECK_INS_AT_ONCE = 20

/** The statements with which a batch is written. */
export const SQL = {
  state: 'SELECT batch FROM telemetry_state',
  setState: 'UPDATE telemetry_state SET batch = ?, last_check_in = ?, rows_through = ?, lost = ?',
  lastCheckIn: 'SELECT last_check_in FROM telemetry_state',
  insertProfile: `INSERT INTO profiles
    (id, channel_key, version, platform, arch, named_by, last_day) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  updateProfile: 'UPDATE profiles SET named_by = ?, last_day = ? WHERE id = ?',
  insertDevice: `INSERT INTO devices (id, app_key, device_id, first_seen, keyed)
    VALUES (?, ?, ?, ?, ?)`,
  insertState: `INSERT INTO device_states
    (device, profile, last_seen, last_check_in, last_change, episode, offered_at, evidence)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  insertCheckIn: `INSERT INTO check_ins (id, device, at, profile, kind, previous)
    VALUES (?, ?, ?, ?, ?, ?)`,
  insertCheckIns: `INSERT INTO check_ins (id, device, at, profile, kind, previous)
    VALUES ${Array(CHECK_INS_AT_ONCE).fill('(?, ?, ?, ?, ?, ?)').join(', ')}`,
  insertChange: `INSERT INTO profile_changes (id, device, at, profile, previous)
    VALUES (?, ?, ?, ?, ?)`,
  // Writes what JSON.stringify would write of the merged labels; null removes one.
  changeLabels: 'UPDATE devices SET labels = json_patch(labels, ?) WHERE id = ?',
  updateState: `UPDATE device_states
    SET profile = ?, last_seen = ?, last_check_in = ?, last_change = ?, episode = ?, offered_at = ?,
      evidence = ?
    WHERE device = ?`,
  addAdoption: `INSERT INTO adoption (profile, day, devices) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET devices = max(0, devices + excluded.devices)`,
  addHourly: `INSERT INTO hourly_adoption (profile, hour, devices) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET devices = max(0, devices + excluded.devices)`,
  addPresence: `INSERT INTO presence (profile, day, devices) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET devices = max(0, devices + excluded.devices)`,
  deleteEmptyAdoption: 'DELETE FROM adoption WHERE profile = ? AND day = ? AND devices = 0',
  deleteEmptyHourly: 'DELETE FROM hourly_adoption WHERE profile = ? AND hour = ? AND devices = 0',
  deleteEmptyPresence: 'DELETE FROM presence WHERE profile = ? AND day = ? AND devices = 0',
  insertRelease: `INSERT INTO offered_releases (number, release_id, channel_key, version, offered_at)
    VALUES (?, ?, ?, ?, ?)`,
  addHealth: `INSERT INTO release_counts (release, cell, devices) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET devices = max(0, devices + excluded.devices)`,
  deleteEmptyHealth: 'DELETE FROM release_counts WHERE release = ? AND cell = ? AND devices <= 0',
  addDetail: `INSERT INTO outcome_details (release, check_in, device, at, detail)
    VALUES (?, ?, ?, ?, ?)`,
  trimDetails: `DELETE FROM outcome_details WHERE release = @release AND check_in <= (
    SELECT check_in FROM outcome_details WHERE release = @release
    ORDER BY check_in DESC LIMIT 1 OFFSET ${KEPT_DETAILS})`,
  addTraffic: `INSERT INTO traffic (channel_key, hour, check_ins, anonymous, offers)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET check_ins = check_ins + excluded.check_ins,
      anonymous = anonymous + excluded.anonymous, offers = offers + excluded.offers`,
  deleteCheckIns: `DELETE FROM check_ins WHERE id IN (
      SELECT id FROM check_ins
      WHERE id <= (SELECT rows_through FROM telemetry_state) AND at <= ? ORDER BY id LIMIT ?
    ) AND at < ?`,
  profilesAfter: 'SELECT id FROM profiles WHERE id > ? ORDER BY id LIMIT ?',
  // A range of the primary key.
  deleteHourly: 'DELETE FROM hourly_adoption WHERE profile = ? AND hour < ?',
} as const
