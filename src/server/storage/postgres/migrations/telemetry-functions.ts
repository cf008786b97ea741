/** Adds the devices of one counter for the node's slot. `p`: the prefix of the arrays. */
const counter = (p: string, table: string, of: string, step: string) =>
  `        IF cardinality(${p}_${of}) > 0 THEN
          INSERT INTO ${table} AS c (${of}, ${step}, slot, devices)
            SELECT unnest(${p}_${of}), unnest(${p}_${step}), p_slot, unnest(${p}_devices)
          ON CONFLICT (${of}, ${step}, slot) DO UPDATE SET devices = c.devices + excluded.devices;
        END IF;
`
const COUNTERS = [
  counter('a', 'adoption', 'profile', 'day'),
  counter('h', 'hourly_adoption', 'profile', 'hour'),
  counter('p', 'presence', 'profile', 'day'),
  counter('r', 'release_counts', 'release', 'cell'),
].join('')

/**
 * Writes what a node has made of the check-ins of a batch, whose device rows it has locked. Arrays of one kind have the same
 * length, and are read without a copy; all numbers are bigint, as nodes send them. `d_tid`: where the locked rows are. If one is
 * not there, counters would be wrong, so it fails. Returns how many new devices were added: fewer than given, if another node
 * has just added one.
 */
export const WRITE_TELEMETRY = `CREATE FUNCTION write_telemetry_3(
      p_slot smallint,
      d_tid tid[], d_profile bigint[], d_seen bigint[], d_check_in bigint[], d_change bigint[],
      d_episode bigint[], d_offered_at bigint[], d_evidence bigint[],
      n_id bigint[], n_app bigint[], n_name text[], n_first_seen bigint[], n_profile bigint[],
      n_seen bigint[], n_check_in bigint[], n_change bigint[], n_episode bigint[], n_offered_at bigint[],
      n_evidence bigint[], n_keyed bigint[],
      l_id bigint[], l_device bigint[], l_at bigint[], l_profile bigint[], l_kind bigint[],
      l_previous bigint[],
      c_device bigint[], c_id bigint[], c_at bigint[], c_profile bigint[],
      a_profile bigint[], a_day bigint[], a_devices bigint[],
      h_profile bigint[], h_hour bigint[], h_devices bigint[],
      p_profile bigint[], p_day bigint[], p_devices bigint[],
      r_release bigint[], r_cell bigint[], r_devices bigint[],
      t_channel bigint[], t_hour bigint[], t_check_ins bigint[], t_anonymous bigint[], t_offers bigint[]
    ) RETURNS integer LANGUAGE plpgsql AS $$
      DECLARE added integer := 0; updated integer;
      BEGIN
        IF cardinality(d_tid) > 0 THEN
          UPDATE devices d SET profile = u.profile, last_seen = u.seen, last_check_in = u.check_in,
            last_change = u.change, episode = u.episode, offered_at = u.offered_at,
            evidence = u.evidence
          FROM (SELECT unnest(d_tid), unnest(d_profile), unnest(d_seen), unnest(d_check_in), unnest(d_change),
              unnest(d_episode), unnest(d_offered_at), unnest(d_evidence))
            AS u (tid, profile, seen, check_in, change, episode, offered_at, evidence)
          WHERE d.ctid = u.tid;
          GET DIAGNOSTICS updated = ROW_COUNT;
          IF updated <> cardinality(d_tid) THEN
            RAISE EXCEPTION 'updated % of % locked devices', updated, cardinality(d_tid);
          END IF;
        END IF;
        IF cardinality(n_id) > 0 THEN
          INSERT INTO devices (id, app_key, device_id, first_seen, profile, last_seen, last_check_in,
            last_change, episode, offered_at, evidence, keyed)
          SELECT unnest(n_id), unnest(n_app), unnest(n_name), unnest(n_first_seen), unnest(n_profile),
            unnest(n_seen), unnest(n_check_in), unnest(n_change), unnest(n_episode), unnest(n_offered_at),
            unnest(n_evidence), unnest(n_keyed)
          ON CONFLICT (app_key, device_id) DO NOTHING;
          GET DIAGNOSTICS added = ROW_COUNT;
        END IF;
        INSERT INTO check_ins (id, device, at, profile, kind, previous)
          SELECT unnest(l_id), unnest(l_device), unnest(l_at), unnest(l_profile), unnest(l_kind), unnest(l_previous);
        IF cardinality(c_id) > 0 THEN
          INSERT INTO profile_changes (device, id, at, profile)
            SELECT unnest(c_device), unnest(c_id), unnest(c_at), unnest(c_profile);
        END IF;
${COUNTERS}        INSERT INTO traffic AS c (channel_key, hour, slot, check_ins, anonymous, offers)
          SELECT unnest(t_channel), unnest(t_hour), p_slot, unnest(t_check_ins), unnest(t_anonymous), unnest(t_offers)
        ON CONFLICT (channel_key, hour, slot) DO UPDATE SET check_ins = c.check_ins + excluded.check_ins,
          anonymous = c.anonymous + excluded.anonymous, offers = c.offers + excluded.offers;
        RETURN added;
      END
    $$;`

/** Whether a check-in tells no more than that the device is there, and is offered the release of its episode again or none. */
const IS_PLAIN = `d.profile = i.profile AND d.last_change <> 0 AND CASE WHEN i.offered = 0 THEN d.episode & 7 <> 1
              ELSE d.episode >> 27 = i.offered
                -- As in offeredAgain.
                AND NOT (d.episode & 7 = 1 AND d.episode & 24 >= 16 AND i.at / 1000 - d.offered_at >= 86400) END`

/**
 * Locks the rows of devices, in the order given: nodes never wait for each other in a circle. Arrays have the same length. A
 * plain check-in (`i_profile` > 0) is stored here: it changes only times, the usual interval and the number of offers.
 * `i_offered`: the release that the device is offered, 0 for none. The phase of an episode is in its lowest three bits, 1 for
 * waiting, its offers in the next two; its release is above the lowest 27. `i_wanted`: 1 for a device that is returned in any case.
 *
 * `devices`: [place, tid, id, profile, last_seen, last_check_in, last_change, episode, offered_at, first_seen, evidence] of each
 * row that is wanted or was only locked; `moves`: [profile, hour before, hour, devices] of those whose hour has changed; `waits`:
 * [episode before, episode, last_seen before, last_seen, evidence] of those that wait for the release; `stored`: places of the
 * check-ins that were stored. Places begin with 1. `held`: those of `i_profiles` that exist, of channels that take check-ins;
 * they are not removed until the transaction ends. Each is null if there are none.
 *
 * Nodes of the version before call `meet_devices_2`.
 */
export const MEET_DEVICES = `CREATE FUNCTION meet_devices_3(
      i_app bigint[], i_name text[], i_profile bigint[], i_offered bigint[], i_at bigint[], i_check_in bigint[],
      i_kind bigint[], i_wanted bigint[], i_profiles bigint[],
      OUT devices json, OUT moves json, OUT waits json, OUT stored json, OUT held json
    ) LANGUAGE plpgsql
      -- Always by the index, in the order of the input: the arrays are much shorter than the table.
      SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan
    AS $$
      BEGIN
        WITH i AS MATERIALIZED (
          SELECT unnest(i_app) AS app, unnest(i_name) COLLATE "C" AS name, unnest(i_profile) AS profile,
            unnest(i_offered) AS offered, unnest(i_at) AS at, unnest(i_check_in) AS check_in, unnest(i_kind) AS kind,
            unnest(i_wanted) AS wanted, generate_subscripts(i_app, 1) AS place
        ), met AS (
          UPDATE devices d SET prev_seen = d.last_seen, prev_check_in = d.last_check_in,
            prev_episode = d.episode,
            last_check_in = CASE WHEN ${IS_PLAIN} THEN i.check_in ELSE d.last_check_in END,
            last_seen = CASE WHEN ${IS_PLAIN} THEN i.at ELSE d.last_seen END,
            episode = CASE WHEN ${IS_PLAIN}
              THEN CASE WHEN i.at >= d.last_seen + 60000
                  THEN next_interval_1(d.episode, (i.at - d.last_seen) / 1000) ELSE d.episode END
                + CASE WHEN i.offered > 0 AND d.episode & 24 < 24 THEN 8 ELSE 0 END
              ELSE d.episode END
          -- IS TRUE: not by the index of names.
          FROM i WHERE hashtextextended(d.device_id, d.app_key) = hashtextextended(i.name, i.app)
            AND (d.device_id = i.name) IS TRUE AND (d.app_key = i.app) IS TRUE
          RETURNING i.place, i.wanted, i.kind, i.offered, d.last_check_in = i.check_in AS is_plain, d.ctid AS tid, d.id,
            d.profile, d.last_seen, d.last_check_in, d.last_change, d.episode, d.offered_at, d.first_seen,
            d.evidence | (d.keyed << 2) AS evidence, d.prev_seen, d.prev_check_in, d.prev_episode
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
              offered_at, first_seen, evidence)) FROM met WHERE NOT is_plain OR wanted = 1),
          (SELECT json_agg(json_build_array(profile, before, hour, count)) FROM (
            SELECT profile, prev_seen / 3600000 AS before, last_seen / 3600000 AS hour, count(*) AS count
            FROM met WHERE is_plain AND prev_seen / 3600000 <> last_seen / 3600000 GROUP BY 1, 2, 3) AS moved),
          (SELECT json_agg(json_build_array(prev_episode, episode, prev_seen, last_seen, evidence)) FROM met
            WHERE is_plain AND offered > 0 AND episode & 7 = 1),
          (SELECT json_agg(place) FROM met WHERE is_plain)
        INTO devices, moves, waits, stored;
        SELECT json_agg(id) INTO held FROM (
          SELECT id FROM profiles WHERE id = ANY(i_profiles) AND NOT EXISTS (
            SELECT FROM closing_channels c WHERE c.channel_key = profiles.channel_key AND until > clock_timestamp())
          FOR KEY SHARE OF profiles) AS kept;
      END
    $$;

    CREATE OR REPLACE FUNCTION meet_devices_2(
      i_app bigint[], i_name text[], i_profile bigint[], i_at bigint[], i_check_in bigint[], i_kind bigint[],
      i_wanted bigint[], i_profiles bigint[],
      OUT devices json, OUT moves json, OUT stored json, OUT held json
    ) LANGUAGE sql AS $$
      SELECT devices, moves, stored, held FROM meet_devices_3(i_app, i_name, i_profile,
        array_fill(0::bigint, ARRAY[cardinality(i_app)]), i_at, i_check_in, i_kind, i_wanted, i_profiles)
    $$;`
