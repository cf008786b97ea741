import { createApp, createChannel } from '../../../src/server/catalog/apps.ts'
import { Catalog } from '../../../src/server/catalog/catalog.ts'
import {
  type Connection,
  dataFile,
  openDatabase,
} from '../../../src/server/storage/sqlite/database.ts'
import { createSqliteCatalogStore } from '../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { prepareDatabase } from '../../../src/server/storage/sqlite/prepare.ts'
import {
  CAME_WITHIN,
  CHANNELS,
  ID_SHUFFLE,
  LARGE_APP,
  type LargeFleet,
  PLATFORMS,
  PROFILE_COUNT,
  PROFILE_SHUFFLE,
  SEEN_WITHIN,
  SHUFFLE,
  VERSIONS,
} from './large-fleet-plan.ts'

/** Devices whose check-ins go further back than to the last one, and how many they have. */
export const WELL_KNOWN = 1_000
const CHECK_INS_EACH = 50

export interface LargeFleetOptions extends LargeFleet {
  /** Older check-ins of each device in the log, over 50 days; none without it. */
  readonly olderEach?: number
  /** Check-ins that the counters of 90 days stand for; the log has the newest of each device. */
  readonly checkIns: number
  /** Entries of the audit log. */
  readonly auditEntries: number
}

const DAY = 86_400_000
const HOUR = 3_600_000
/** Where the ids of each device's newest check-in begin: above the older ones and those of the well-known ones. */
const NEWEST = `($older + ${WELL_KNOWN * CHECK_INS_EACH})`

const NUMBERS = (count: string) =>
  `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
const AFTER = `(i * ${SHUFFLE} % $devices)`
const LAST_SEEN = `($end - ${AFTER} * (${SEEN_WITHIN} / $devices))`
const FIRST_SEEN = `($end - ${SEEN_WITHIN + CAME_WITHIN} + i * (${CAME_WITHIN} / $devices))`
const PROFILE = `(i * ${PROFILE_SHUFFLE} % ${PROFILE_COUNT} + 1)`

const STATEMENTS = [
  `${NUMBERS('$devices')} INSERT INTO devices (id, app_key, device_id, labels, first_seen)
    SELECT i, $app,
      printf('%08x-0000-4000-8000-%012x', i * ${ID_SHUFFLE} & 4294967295, i),
      CASE WHEN i % 4 = 0 THEN '{"ring":"beta"}' ELSE '{}' END, ${FIRST_SEEN} FROM n`,
  `${NUMBERS('$devices')}
    INSERT INTO device_states (device, profile, last_seen, last_check_in, last_change)
    SELECT i, ${PROFILE}, ${LAST_SEEN}, ${NEWEST} + $devices - ${AFTER}, i FROM n`,
  `${NUMBERS('$devices')} INSERT INTO profile_changes (id, device, at, profile, previous)
    SELECT i, i, ${FIRST_SEEN}, ${PROFILE}, 0 FROM n`,
  // Kind 1 is a check that was answered with an update.
  `INSERT INTO check_ins (id, device, at, profile, kind, previous)
    SELECT last_check_in, device, last_seen, profile, 1,
      CASE WHEN device <= ${WELL_KNOWN} THEN ${NEWEST} - ${2 * WELL_KNOWN} + device
        ELSE max(0, $older - $devices + device) END
    FROM device_states ORDER BY last_check_in`,
  `${NUMBERS(String(WELL_KNOWN * (CHECK_INS_EACH - 1)))}
    INSERT INTO check_ins (id, device, at, profile, kind, previous)
    SELECT $older + i, (i - 1) % ${WELL_KNOWN} + 1, $end - 40 * ${DAY} + i, 1, 1,
      CASE WHEN i > ${WELL_KNOWN} THEN $older + i - ${WELL_KNOWN} ELSE max(0, $older - $devices + i) END
    FROM n`,
  `${NUMBERS('$older')} INSERT INTO check_ins (id, device, at, profile, kind, previous)
    SELECT i, (i - 1) % $devices + 1, $end - 90 * ${DAY} + i * (50 * ${DAY} / $older), 1, 1,
      max(0, i - $devices) FROM n WHERE $older > 0`,
  `INSERT INTO presence (profile, day, devices)
    SELECT profile, last_seen / ${DAY}, count(*) FROM device_states GROUP BY 1, 2`,
  `${NUMBERS('90')} INSERT INTO adoption (profile, day, devices)
    SELECT id, $end / ${DAY} - 90 + i, 1 + (id * 7 + i) % ($devices / ${PROFILE_COUNT} + 1)
    FROM profiles CROSS JOIN n`,
  `${NUMBERS('192')} INSERT INTO hourly_adoption (profile, hour, devices)
    SELECT id, $end / ${HOUR} - 192 + i, 1 + (id * 7 + i) % ($devices / ${PROFILE_COUNT} / 8 + 1)
    FROM profiles CROSS JOIN n`,
  `${NUMBERS('2160')} INSERT INTO traffic (channel_key, hour, check_ins, anonymous, offers)
    SELECT key, $end / ${HOUR} - 2160 + i, $checkIns / 6480, $checkIns / 64800, $checkIns / 64800
    FROM channels CROSS JOIN n`,
  `${NUMBERS('$auditEntries')}
    INSERT INTO audit (at, actor_kind, actor_name, action, app, channel, version, before, after)
    SELECT '2026-01-01T00:00:00.000Z', 'console', 'mia', 'release.serving_changed', '${LARGE_APP}',
      'stable', printf('1.%d.0', i % 30), '{"rolloutPct":10}', '{"rolloutPct":20}'
    FROM n WHERE $auditEntries > 0`,
  `UPDATE telemetry_state SET last_check_in = ${NEWEST} + $devices,
    rows_through = ${NEWEST} + $devices`,
]

/**
 * Makes a data folder with devices that run 30 versions on 8 platforms over 3 channels, without a
 * release. In SQL, which takes seconds for a million; what it makes, large-fleet-plan.ts says.
 */
export async function makeLargeFleet(folder: string, options: LargeFleetOptions): Promise<void> {
  prepareDatabase(folder, { lockHeld: false })
  const file = dataFile(folder)
  const { app, channels } = await createCatalog(file)
  const database = openDatabase(file, { cacheKiB: 262_144 })
  try {
    database.transaction(() => fill(database, options, app, channels))()
  } finally {
    database.close()
  }
}

function fill(
  database: Connection,
  { devices, end, checkIns, auditEntries, olderEach = 0 }: LargeFleetOptions,
  app: number,
  channels: readonly number[],
): void {
  const insert = database.prepare(
    'INSERT INTO profiles (id, channel_key, version, platform, arch) VALUES (?, ?, ?, ?, ?)',
  )
  let id = 0
  for (const channel of channels) {
    for (const version of VERSIONS) {
      for (const [platform, arch] of PLATFORMS) insert.run(++id, channel, version, platform, arch)
    }
  }
  // As integers: a number is bound as a real otherwise, and divided as one.
  const values = { devices, end, checkIns, auditEntries, app, older: devices * olderEach }
  const bound = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, BigInt(value)]),
  )
  for (const sql of STATEMENTS) {
    const used = Object.entries(bound).filter(([name]) => sql.includes(`$${name}`))
    database.prepare(sql).run(Object.fromEntries(used))
  }
}

async function createCatalog(file: string): Promise<{ app: number; channels: number[] }> {
  const store = createSqliteCatalogStore(file)
  try {
    const catalog = await Catalog.open(store)
    const actor = { kind: 'command_line', name: 'seed' } as const
    const { key } = await createApp(catalog, actor, { ref: LARGE_APP, name: 'Editor' })
    for (const name of CHANNELS.slice(1))
      await createChannel(catalog, actor, { app: LARGE_APP, name })
    const of = catalog.snapshot.appByName.get(LARGE_APP)?.channels
    return { app: key, channels: CHANNELS.map((name) => of?.get(name)?.record.key ?? 0) }
  } finally {
    store.close()
  }
}
