/**
 * What devices weigh that came to their state before weights were counted: whether they were known before the release was
 * first offered, and seen on a later day. Their network is not known, so they are counted in none. The server counts them
 * by weight when it starts, as it corrects all counters of devices.
 */
export const knownDevices = {
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
}
