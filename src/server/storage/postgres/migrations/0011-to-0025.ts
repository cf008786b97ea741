import { MEET_DEVICES, WRITE_TELEMETRY } from './telemetry-functions.ts'

export const from11to25 = [
  /** What only the leader of a task knows, and all nodes show. */
  {
    number: 11,
    name: 'leader-facts',
    sql: `
    CREATE TABLE leader_facts (
      task text COLLATE "C" PRIMARY KEY,
      -- JSON.
      facts text NOT NULL
    );`,
  },
  /** Where all nodes keep their files: what one of them does not find there is lost to all. */
  {
    number: 12,
    name: 'files-place',
    sql: `
    CREATE TABLE files_place (
      one smallint PRIMARY KEY CHECK (one = 1),
      place text NOT NULL
    );`,
  },
  /**
   * Stores check-ins that change nothing but times without a read before: most are such. What a row was before its last write is
   * kept in the row, as an update cannot return that before PostgreSQL 18.
   */
  {
    number: 13,
    name: 'plain-check-ins',
    sql: `
    -- As they were before the last write of the row by meet_devices_3; of no use after its transaction.
    ALTER TABLE devices ADD COLUMN prev_seen bigint NOT NULL DEFAULT 0,
      ADD COLUMN prev_check_in bigint NOT NULL DEFAULT 0;
    -- A third of the size of the index of names, in which most of the time of a check-in was spent.
    CREATE INDEX devices_by_hash ON devices (hashtextextended(device_id, app_key));

    -- Returns an episode with the usual interval after a gap of at least a minute, in seconds: see nextInterval.
    CREATE FUNCTION next_interval_1(episode bigint, gap bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
      SELECT episode - (episode & 134217696) + (round(
        coalesce(nullif((episode & 134217727) >> 5, 0), 115200)
        - (least(gap, 2592000) - coalesce(nullif((episode & 134217727) >> 5, 0), 115200))
          * (exp(-least(gap, 2592000) / 1209600::float8) - 1))::bigint << 5)
    $$;
  `,
  },
  /** What the state of a device is worth as evidence about a release, and whether new devices count on a channel. */
  {
    number: 16,
    name: 'evidence',
    readableFrom: 16,
    sql: `
    -- Weight, network and whether a key vouches for the device: fleet/health/weight.ts. 0 as long as that is
    -- not known. In release_counts, cells 1,000 to 5,095 and from 2^21 on count devices by weight.
    ALTER TABLE devices ADD COLUMN evidence integer NOT NULL DEFAULT 0;
    -- 1: devices that anyone can have invented count toward the stops and gates of plans.
    ALTER TABLE channels ADD COLUMN count_new_devices smallint NOT NULL DEFAULT 0
      CHECK (count_new_devices IN (0, 1));

    ${WRITE_TELEMETRY}
  `,
  },
  /**
   * What devices weigh that came to their state before weights were counted: whether they were known before the release was
   * first offered, and seen on a later day. Their network is not known, so they are counted in none.
   */
  {
    number: 17,
    name: 'known-devices',
    sql: `
    WITH known AS (
      UPDATE devices AS d
        SET evidence = evidence | CASE WHEN r.offered_at / 1000 - d.first_seen / 1000 >= 604800 THEN 3 ELSE 1 END
        FROM offered_releases AS r
        WHERE r.number = d.episode / 134217728 AND d.evidence & 3 = 0 AND d.evidence / 8 = 0
          AND d.first_seen / 1000 < r.offered_at / 1000 AND d.last_seen / 86400000 > d.first_seen / 86400000
        RETURNING r.number AS release, d.last_seen, (d.evidence & 3) * 2097152 AS room, d.episode & 7 AS phase,
          coalesce(nullif((d.episode & 134217727) >> 5, 0), 115200) AS usual
    ), cells AS (
      SELECT release, room + 1000 + phase AS cell FROM known
      UNION ALL
      -- Those that wait, by the hour from which they are silent.
      SELECT release, room + (last_seen + 1000 * greatest(172800, 3 * usual) + 3599999) / 3600000 FROM known
        WHERE phase = 1
    )
    INSERT INTO release_counts AS c (release, cell, slot, devices)
      SELECT release, cell, 0, count(*) FROM cells GROUP BY release, cell
    ON CONFLICT (release, cell, slot) DO UPDATE SET devices = c.devices + excluded.devices;

    -- What cannot be recounted from devices, without what is counted by weight already: adoptions by devices that moved on
    -- (8), devices that were stuck and then adopted (9), slow adoptions (10, the times from 98 on).
    INSERT INTO release_counts AS c (release, cell, slot, devices)
      SELECT release, 2097152 + 1000 + kind, 0, sum(devices)
      FROM (
        SELECT release, CASE WHEN cell < 64 THEN cell ELSE 10 END AS kind, devices FROM release_counts
          WHERE cell IN (8, 9) OR cell BETWEEN 98 AND 127
        UNION ALL
        SELECT release, (cell % 2097152 - 1000) % 16, -devices FROM release_counts
          WHERE cell % 2097152 BETWEEN 1000 AND 9999 AND (cell % 2097152 - 1000) % 16 IN (8, 9, 10)
      ) AS counted
      GROUP BY release, kind HAVING sum(devices) > 0
    ON CONFLICT (release, cell, slot) DO UPDATE SET devices = c.devices + excluded.devices;
  `,
  },
  /** Stores check-ins that are offered the same release again without a read before, as `plain-check-ins`. */
  {
    number: 25,
    name: 'repeated-offers',
    sql: `
    ALTER TABLE devices ADD COLUMN prev_episode bigint NOT NULL DEFAULT 0;

    ${MEET_DEVICES}
  `,
  },
]
