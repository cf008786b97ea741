import { dataFile, openDatabase } from '../../../../src/server/storage/sqlite/database.ts'
import { makeSmallDemo } from '../../../support/builders/demo-folder.ts'
import { fileFolder, preparedFolder } from '../../../support/builders/folders.ts'

/** Texts that the engines store differently. */
export const ODD = 'nul \0, one \u0001, \u{1f600} \uffff'
/** Larger than 32 bits. */
const LARGE = 2 ** 52 + 1

/**
 * Makes a data folder with the demo's apps, people and fleet, and with what is rare: odd texts, large numbers, numbers that
 * were given out and are free again, telemetry that was set aside, and check-ins that the log does not have any more.
 */
export async function makeRichFolder(): Promise<string> {
  const folder = fileFolder()
  await makeSmallDemo(folder, { devices: 300, days: 12 })
  addRarities(folder)
  return folder
}

/** Stores what the demo does not. */
export function addRarities(folder: string): void {
  const database = openDatabase(dataFile(folder))
  const run = (sql: string, ...values: unknown[]) => database.prepare(sql).run(...values)
  const app = Number(database.prepare('SELECT min(key) FROM apps').pluck().get())
  const time = '2026-03-14T12:00:00.000Z'
  try {
    database.transaction(() => {
      run('UPDATE apps SET name = ? WHERE key = ?', ODD, app)
      const labels = JSON.stringify({ zone: ODD, a: '', longer: 'ä' })
      run('UPDATE devices SET labels = ? WHERE id IN (3, 70)', labels)
      run(
        `INSERT INTO accounts (id, name, name_key, created_at) VALUES ('a', ?, 'a', ?)`,
        ODD,
        time,
      )
      run(
        `INSERT INTO sessions (id, account_id, token_hash, created_at, last_used_at, expires_at, address, user_agent)
        VALUES ('s', 'a', 'h', ?, ?, ?, '::1', ?)`,
        ...[time, time, time, ODD],
      )
      run(`INSERT INTO account_app_roles VALUES ('a', ?, 'viewer')`, app)
      run(`INSERT INTO totp_secrets VALUES ('a', 'secret', ${LARGE}, ?)`, time)
      run(`INSERT INTO notification_choices VALUES ('a', '{ "apps": [] }')`)
      run(
        `INSERT INTO push_subscriptions (id, account_id, endpoint, p256dh, auth, user_agent, created_at, since)
        VALUES ('b', 'a', 'https://push.example', 'key', 'secret', 'Browser', ?, 3)`,
        time,
      )
      run(
        `INSERT INTO webhooks (id, name, url, format, events, app_key, secret, created_at, since, revision)
        VALUES ('w', 'Chat', 'https://chat.example', 'slack', '["a"]', ?, 'whsec_x', ?, 3, 1)`,
        ...[app, time],
      )
      run(
        `INSERT INTO deliveries (id, webhook_id, type, payload, state, created_at, give_up_at, next_at, attempts)
        VALUES ('d', 'w', 'release.published', '{ "text": "\\u0000 \\ud800" }', 'pending', ?, ?, ?, '[]')`,
        ...[time, time, time],
      )
      run(`INSERT INTO erasures VALUES (?, 'gone')`, app)
      run(`INSERT INTO set_aside VALUES (7, 1, 2, 'insertCheckIn', '[1,null]', ?)`, ODD)
      // Retention has deleted the oldest check-ins, and their devices still name them.
      run('DELETE FROM check_ins WHERE id <= (SELECT max(id) / 3 FROM check_ins)')
      // More than two batches, over three days.
      run(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
        INSERT INTO check_ins (id, device, at, profile, kind)
        SELECT last_check_in + i, 0, ${Date.parse(time)} + i * 21600, 1, 1 FROM n, telemetry_state`)
      run(`UPDATE telemetry_state SET last_check_in = last_check_in + 12000,
        rows_through = last_check_in + 12000`)
      run(`UPDATE sqlite_sequence SET seq = seq + 5`)
      run('UPDATE telemetry_state SET last_profile = 5000, last_release = 40, last_device = 2900')
      run(`UPDATE catalog_state SET revision = revision + 1`)
    })()
  } finally {
    database.close()
  }
}

/** What the two engines count differently: see `docs/move.md`. */
const APART: ReadonlySet<string> = new Set(['telemetry_state', 'freed_devices'])

/** Returns all rows of a data folder, by table, in the order of their keys. */
export function contentsOf(folder: string): Record<string, unknown[]> {
  const database = openDatabase(dataFile(folder), { readonly: true })
  const names = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all()
  try {
    const rows = names
      .filter((name) => !APART.has(name))
      .map((name) => [name, database.prepare(`SELECT * FROM ${name}`).all().map(comparable)])
    return Object.fromEntries(
      rows.map(([name, found]) => [name, (found as string[]).toSorted()] as const),
    )
  } finally {
    database.close()
  }
}

/** Labels are a JSON object, whose order has no meaning. */
function comparable(row: unknown): string {
  const { labels, ...rest } = row as Record<string, unknown>
  if (labels === undefined) return JSON.stringify(rest)
  const sorted = Object.entries(JSON.parse(String(labels))).toSorted()
  return JSON.stringify({ ...rest, labels: sorted })
}

/** Makes a data folder with an app, three devices and their check-ins. */
export function smallFolder(): string {
  const folder = preparedFolder()
  const database = openDatabase(dataFile(folder))
  const [time, day] = [Date.parse('2026-03-14T12:00:00Z'), 86_400_000]
  database.exec(`
    INSERT INTO apps (id, ref, name, created_at) VALUES ('a', 'editor', 'Editor', '2026');
    INSERT INTO channels (app_key, name, update_mode, minimum_supported_version, rollback, created_at, revision)
      VALUES (1, 'stable', 'optional', '0.0.0', 'downgrade', '2026', 1);
    INSERT INTO profiles (id, channel_key, version, platform, arch) VALUES (1, 1, '1.0.0', 'linux', 'x86_64');
    INSERT INTO devices (id, app_key, device_id, first_seen) VALUES (1, 1, 'a', ${time}), (2, 1, 'b', ${time}), (3, 1, 'c', ${time});
    INSERT INTO device_states (device, profile, last_seen, last_check_in, last_change)
      SELECT id, 1, ${time} + id * ${day}, id, id FROM devices;
    INSERT INTO profile_changes (id, device, at, profile, previous)
      SELECT id, id, ${time} + id * ${day}, 1, 0 FROM devices;
    INSERT INTO check_ins (id, device, at, profile, kind) SELECT id, id, ${time} + id * ${day}, 1, 1 FROM devices;
    INSERT INTO presence SELECT profile, last_seen / ${day}, 1 FROM device_states;
    UPDATE telemetry_state SET last_check_in = 3, rows_through = 3;
  `)
  database.close()
  return folder
}
