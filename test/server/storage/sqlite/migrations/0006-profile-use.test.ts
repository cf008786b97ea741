import { expect, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import { MIGRATIONS } from '../../../../../src/server/storage/sqlite/migrations/index.ts'
import { prepareDatabase } from '../../../../../src/server/storage/sqlite/prepare.ts'
import { item } from '../../../../support/builders/devices.ts'
import { temporaryFolder } from '../../../../support/builders/folders.ts'
import { publish } from '../../../../support/servers/calls.ts'
import { callerOf } from '../../../../support/servers/console.ts'
import { connectTo, countRows } from '../../../../support/servers/database.ts'
import { checkAs, report } from '../../../../support/servers/fleet-calls.ts'
import { startServer } from '../../../../support/servers/server.ts'

/** As many as a database had room for. */
const FULL = 200_000
const DAY = 86_400_000

/**
 * A database as a flood of invented versions left it: full, with a check-in of each, most of them
 * anonymous. Device 1 runs 1.0.0, which is released; device 2 was last on an invented version.
 */
function makeFullFolder(): string {
  const folder = temporaryFolder()
  prepareDatabase(folder, { lockHeld: false, migrations: MIGRATIONS.slice(0, 5) })
  const database = openDatabase(dataFile(folder))
  const now = Date.now()
  const today = Math.floor(now / DAY)
  const at = new Date(now).toISOString()
  database.exec(`
    INSERT INTO apps (id, ref, name, created_at) VALUES ('a', 'editor', 'Editor', '${at}');
    INSERT INTO channels (app_key, name, update_mode, minimum_supported_version, rollback,
      created_at, revision) VALUES (1, 'stable', 'optional', '0.0.0', 'downgrade', '${at}', 1);
    INSERT INTO releases VALUES
      ('r', 1, 1, '1.0.0', 'published', 100,
        '{"matchLabels":{},"matchExpressions":[]}', 1, '${at}', 1, '');
    WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${FULL})
    INSERT INTO profiles SELECT id, 1, CASE id WHEN 1 THEN '1.0.0' ELSE '9.' || id || '.0' END,
      'linux', 'x86_64' FROM n;
    INSERT INTO check_ins SELECT id, CASE WHEN id <= 2 THEN id ELSE 0 END, ${now}, id, 3, 0
      FROM profiles;
    INSERT INTO devices (id, app_key, device_id, first_seen) VALUES
      (1, 1, 'released', ${now}), (2, 1, 'invented', ${now});
    INSERT INTO device_states VALUES (1, 1, ${now}, 1, 0), (2, 2, ${now}, 2, 0);
    INSERT INTO adoption VALUES (1, ${today}, 1), (2, ${today}, 1), (3, ${today}, 0);
    INSERT INTO presence VALUES (1, ${today}, 1), (2, ${today}, 1);
    UPDATE telemetry_state SET batch = 9, last_check_in = ${FULL}, rows_through = ${FULL};
    UPDATE catalog_state SET revision = 1;
  `)
  database.close()
  return folder
}

test('a database that is full of invented versions counts again after the migration', async () => {
  const folder = makeFullFolder()
  const server = await startServer({ dataFolder: folder })
  const database = connectTo({ folder })
  // The released one, and the two that a device has or has had.
  expect(database.prepare('SELECT id, named_by FROM profiles').raw().all()).toEqual([
    [1, 1],
    [2, 0],
    [3, 0],
  ])
  expect(database.prepare('SELECT last_profile FROM telemetry_state').pluck().get()).toBe(FULL)
  expect(database.pragma('foreign_key_check')).toEqual([])
  expect(countRows(database, 'check_ins')).toBe(FULL)

  await publish(server, '2.0.0')
  await checkAs(server, '2.0.0', { device: 'new' })
  await checkAs(server, '2.0.0', { device: 'released' })
  expect((await report(server, [item('reported', { version: '7.0.0' })])).status).toBe(200)
  const today = Math.floor(Date.now() / DAY)
  const versions = await server.fleet.presence(1, today)
  expect(versions.map(({ version, devices }) => [version, devices]).sort()).toEqual([
    ['2.0.0', 2],
    ['7.0.0', 1],
    ['9.2.0', 1],
  ])
  // Numbers that the log of checks names are not given out again.
  const added = database.prepare('SELECT min(id) FROM profiles WHERE id > 3').pluck().get()
  expect(added).toBe(FULL + 1)
  const { devices } = await callerOf(server).devices.list({ app: 'editor' })
  expect(devices).toHaveLength(4)
})
