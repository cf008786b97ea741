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
    CREATE FUNCTION meet_devices_1(
      i_app bigint[], i_name text[], i_profile bigint[], i_at bigint[], i_check_in bigint[], i_kind bigint[],
      i_wanted bigint[], i_profiles bigint[],
      OUT devices json, OUT moves json, OUT stored json, OUT held json
    ) LANGUAGE plpgsql
      -- Always by the index, in the order of the input: the arrays are much shorter than the table.
      SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
    AS $$
      BEGIN
        WITH i AS MATERIALIZED (
          SELECT unnest(i_app) AS app, unnest(i_name) COLLATE "C" AS name, unnest(i_profile) AS profile,
            unnest(i_at) AS at, unnest(i_check_in) AS check_in, unnest(i_kind) AS kind,
            unnest(i_wanted) AS wanted, generate_subscripts(i_app, 1) AS place
        ), met AS (
          UPDATE devices d SET prev_seen = d.last_seen, prev_check_in = d.last_check_in,
            last_check_in = CASE WHEN d.profile = i.profile AND d.episode & 7 <> 1 AND d.last_change <> 0
              THEN i.check_in ELSE d.last_check_in END,
            last_seen = CASE WHEN d.profile = i.profile AND d.episode & 7 <> 1 AND d.last_change <> 0
              THEN i.at ELSE d.last_seen END,
            episode = CASE WHEN d.profile = i.profile AND d.episode & 7 <> 1 AND d.last_change <> 0
                AND i.at >= d.last_seen + 60000
              THEN next_interval_1(d.episode, (i.at - d.last_seen) / 1000) ELSE d.episode END
          -- IS TRUE: not by the index of names.
          FROM i WHERE hashtextextended(d.device_id, d.app_key) = hashtextextended(i.name, i.app)
            AND (d.device_id = i.name) IS TRUE AND (d.app_key = i.app) IS TRUE
          RETURNING i.place, i.wanted, i.kind, d.last_check_in = i.check_in AS is_plain, d.ctid AS tid, d.id,
            d.profile, d.last_seen, d.last_check_in, d.last_change, d.episode, d.offered_at, d.prev_seen,
            d.prev_check_in
        ), logged AS (
          INSERT INTO check_ins (id, device, at, profile, kind, previous)
          SELECT last_check_in, id, last_seen, profile,
            kind + CASE WHEN episode < 134217728 THEN 0
              ELSE ((episode >> 27) * 32 + (episode & 31)) * 256 END,
            prev_check_in
          FROM met WHERE is_plain
        )
        SELECT
          (SELECT json_agg(json_build_array(place, tid, id, profile, last_seen, last_check_in, last_change, episode,
              offered_at)) FROM met WHERE NOT is_plain OR wanted = 1),
          (SELECT json_agg(json_build_array(profile, before, hour, count)) FROM (
            SELECT profile, prev_seen / 3600000 AS before, last_seen / 3600000 AS hour, count(*) AS count
            FROM met WHERE is_plain AND prev_seen / 3600000 <> last_seen / 3600000 GROUP BY 1, 2, 3) AS moved),
          (SELECT json_agg(place) FROM met WHERE is_plain)
        INTO devices, moves, stored;
        SELECT json_agg(id) INTO held FROM (
          SELECT id FROM profiles WHERE id = ANY(i_profiles) AND NOT EXISTS (
            SELECT FROM closing_channels c WHERE c.channel_key = profiles.channel_key AND until > clock_timestamp())
          FOR KEY SHARE OF profiles) AS kept;
      END
    $$;
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
