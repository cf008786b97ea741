import { dayOf, hourOf } from '../../../src/server/fleet/time.ts'
import { PostgresDatabase } from '../../../src/server/storage/postgres/connection/database.ts'
import { ensurePartitions } from '../../../src/server/storage/postgres/fleet/upkeep/partitions.ts'
import { migrate } from '../../../src/server/storage/postgres/migrations/migrate.ts'
import { ID_IN_SQL, PLATFORMS, VERSIONS } from './device.ts'

const PROFILES = VERSIONS.length * PLATFORMS.length
/** Ids of a block. */
const BLOCK = 1_024

/** Milliseconds that one statement may take, also on a busy machine. */
const PATIENCE = 600_000

/** The first id of a device in the database. */
export const FIRST_ID = BLOCK

/**
 * Fills a new database with a fleet of the app 1 on its channel 1: devices that were last seen within the hour, a quarter of
 * them with labels, and the statistics of 90 days of all of them.
 */
export async function makeFleet(url: string, devices: number): Promise<void> {
  const database = new PostgresDatabase(url, 2, { queryTime: PATIENCE })
  const now = Date.now()
  const [day, hour] = [dayOf(now), hourOf(now)]
  // Nobody is seen on the day before, so that every device is counted once today.
  const recent = Math.min(3_600_000, now - day * 86_400_000)
  const run = (sql: string, values: readonly unknown[] = []) => database.run(sql, values)
  await migrate(database)
  await ensurePartitions(database, now)
  await run(
    `INSERT INTO apps (key, id, ref, name, created_at) VALUES (1, 'a', 'bench', 'Bench', '')`,
  )
  await run(`INSERT INTO channels (key, app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision)
    VALUES (1, 1, 'stable', 'optional', '0.0.0', 'downgrade', '', 1)`)
  await run(
    `INSERT INTO profiles (channel_key, version, platform, arch, named_by, last_day)
    SELECT 1, ($1::text[])[1 + p % ${VERSIONS.length}], ($2::text[])[1 + p / ${VERSIONS.length}], 'x86_64', 2, $3
    FROM generate_series(0, ${PROFILES - 1}) AS p ORDER BY p`,
    [VERSIONS, PLATFORMS, day],
  )
  await run(
    `INSERT INTO devices (id, app_key, device_id, profile, first_seen, last_seen, last_check_in, last_change)
    SELECT i + ${FIRST_ID}, 1, ${ID_IN_SQL}, 1 + i % ${PROFILES}, $1::bigint - 7776000000 + i,
      $1::bigint - (random() * $2)::bigint, 1, 1
    FROM generate_series(0, $3::integer - 1) AS i`,
    [now, recent, devices],
  )
  await run(
    `INSERT INTO device_labels SELECT i + ${FIRST_ID}, jsonb_build_object('ring', 'r' || i % 7, 'site', 'site-' || i % 1000)
    FROM generate_series(0, $1::integer - 1, 4) AS i`,
    [devices],
  )
  await run(`SELECT setval('device_blocks', $1)`, [Math.ceil(devices / BLOCK) + 2])
  await run(`INSERT INTO presence SELECT profile, $1, 0, count(*) FROM devices GROUP BY 1`, [day])
  await run(
    `INSERT INTO adoption SELECT profile, d, 0, devices FROM presence, generate_series($1::integer - 89, $1::integer) AS d`,
    [day],
  )
  await run(
    `INSERT INTO hourly_adoption SELECT profile, h, 0, devices / 8 FROM presence, generate_series($1::integer - 190, $1::integer - 1) AS h`,
    [hour],
  )
  await run(
    `INSERT INTO traffic SELECT 1, h, 0, $2::integer / 4, 0, 0 FROM generate_series($1::integer - 2160, $1::integer - 1) AS h`,
    [hour, devices],
  )
  await run('VACUUM (ANALYZE)')
  await run('CHECKPOINT')
  await database.close()
}

/** Compares what was counted of today with the devices, and the log with the traffic. Rejects if they differ. */
export async function recount(url: string): Promise<void> {
  const database = new PostgresDatabase(url, 1, { queryTime: PATIENCE })
  try {
    const differing = await database.rows<{ what: string }>(`
      SELECT 'presence ' || coalesce(profile, p) AS what FROM
        (SELECT profile, last_seen / 86400000 AS day, count(*) AS n FROM devices GROUP BY 1, 2) AS a FULL JOIN
        (SELECT profile AS p, day AS d, sum(devices) AS n FROM presence GROUP BY 1, 2 HAVING sum(devices) <> 0) AS b
        ON profile = p AND day = d WHERE a.n IS DISTINCT FROM b.n
      UNION ALL SELECT 'adoption ' || coalesce(profile, p) FROM
        (SELECT profile, count(*) AS n FROM devices GROUP BY 1) AS a FULL JOIN
        (SELECT profile AS p, sum(devices) AS n FROM adoption WHERE day = (SELECT max(day) FROM adoption) GROUP BY 1) AS b
        ON profile = p WHERE a.n IS DISTINCT FROM b.n
      UNION ALL SELECT 'traffic' WHERE (SELECT sum(check_ins) FROM traffic WHERE slot > 0)
        IS DISTINCT FROM (SELECT nullif(count(*), 0) FROM check_ins WHERE kind >= 0)`)
    if (differing.length > 0) {
      throw new Error(`not exact: ${differing.map(({ what }) => what).join(', ')}`)
    }
  } finally {
    await database.close()
  }
}
