import { meetDevices } from './telemetry-functions.ts'

export const from11to15 = [
  /** What only the leader of a task knows, and all nodes show. */
  {
    number: 11,
    name: 'leader-facts',
    readableFrom: 4,
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
    readableFrom: 4,
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
    readableFrom: 4,
    sql: `
    -- As they were before the last write of the row by meet_devices_1; of no use after its transaction.
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

    -- Locks the rows of devices, in the order given: nodes never wait for each other in a circle. Arrays have the same length.
    -- A check-in (i_profile > 0) of a device that runs the same profile as before and does not wait for a release changes
    -- only times: it is stored here. The phase of an episode is in its lowest three bits, 1 for waiting; its release is above
    -- the lowest 27. i_wanted: 1 for a device that is returned in any case.
    -- devices: [place, tid, id, profile, last_seen, last_check_in, last_change, episode, offered_at] of each row that is
    -- wanted or was only locked; moves: [profile, hour before, hour, devices] of those whose hour has changed; stored: places of
    -- the check-ins that were stored. Places begin with 1. held: those of i_profiles that exist, of channels that take
    -- check-ins; they are not removed until the transaction ends. Each is null if there are none.
    ${meetDevices(1)}
  `,
  },
  /**
   * Identifies who made a change where names are the same: a key by its prefix. An account keeps who granted its access, so
   * that one person does not count as two. A node from before leaves both empty.
   */
  {
    number: 14,
    name: 'actors',
    readableFrom: 4,
    sql: `
    ALTER TABLE audit ADD COLUMN key_prefix text;
    -- The person of a principal; null for nobody, or for the server's own computer.
    ALTER TABLE accounts ADD COLUMN vouched_by text COLLATE "C";
  `,
  },
  /**
   * The formats of signatures that a channel takes unchecked although its app has a minisign key. Proofs under a key that
   * found no valid signature are due again, and do not count until then.
   */
  {
    number: 15,
    name: 'unchecked-signatures',
    readableFrom: 4,
    sql: `
    ALTER TABLE channels ADD COLUMN unchecked_signatures text NOT NULL DEFAULT '[]';
    UPDATE proofs SET due_at = '1970-01-01T00:00:00.000Z'
      WHERE failure IS NULL AND signature <> 'valid' AND release_id IN (
        SELECT releases.id FROM releases JOIN apps ON apps.key = releases.app_key
        WHERE apps.minisign_key IS NOT NULL);`,
  },
]
