import { expect, test } from 'vitest'
import { PostgresDatabase } from '../../../src/server/storage/postgres/connection/database.ts'
import { preparedFolder } from '../../support/builders/folders.ts'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { DAY } from '../../support/builders/time.ts'
import { expectCounted } from '../../support/postgres/recount.ts'
import { publish } from '../../support/servers/calls.ts'
import { databaseOf, isOnPostgres } from '../../support/servers/engine.ts'
import { passTime, START } from '../../support/servers/planned.ts'
import { startServer, startWithApp, type TestServer } from '../../support/servers/server.ts'
import { changeStored } from '../../support/servers/stored.ts'

const CONFIG = { plans: { lookEvery: 2 ** 31 - 1 } }
const DEVICES = Array.from({ length: 100 }, (_, index) => `device-${index}`)

/** Makes a database what it was before what devices weigh was counted. */
const DOWNGRADE = `
  DELETE FROM release_counts WHERE cell >= 2097152 OR cell BETWEEN 1000 AND 9999;
  ALTER TABLE channels DROP COLUMN count_new_devices;
  ALTER TABLE channels DROP COLUMN preflight;
  ALTER TABLE channels DROP COLUMN accepted_findings;
  ALTER TABLE drafts DROP COLUMN owner;
  ALTER TABLE artifacts DROP COLUMN details;
  DROP TRIGGER release_documents_immutable${isOnPostgres ? ' ON releases' : ''};
  ALTER TABLE releases DROP COLUMN documents;
  ALTER TABLE drafts DROP COLUMN documents;
  ALTER TABLE apps DROP COLUMN document_keys;
  ALTER TABLE plans DROP COLUMN readings;
  ALTER TABLE plans DROP COLUMN open_pct;
  DROP TABLE release_sessions;
  DROP TABLE session_devices;
  DROP TABLE notification_choices;
  ALTER TABLE outbox_state DROP COLUMN push_key;
  ${
    isOnPostgres
      ? `ALTER TABLE devices DROP COLUMN evidence;
        ALTER TABLE deliveries DROP COLUMN push_id, DROP COLUMN account_id,
          ADD CONSTRAINT deliveries_check CHECK ((webhook_id IS NULL) <> (mail_to IS NULL));
        DROP TABLE push_subscriptions;
        DROP FUNCTION write_telemetry_3;
        DROP FUNCTION meet_devices_2;
        DROP FUNCTION meet_devices_3;
        ALTER TABLE devices DROP COLUMN prev_episode;
        DELETE FROM tidegate_schema WHERE number >= 16;`
      : `ALTER TABLE device_states DROP COLUMN evidence;
        DROP TABLE push_subscriptions;
        PRAGMA user_version = 21;`
  }`

async function check(server: TestServer, devices: readonly string[], version: string) {
  for (const device of devices) {
    const path = `/u/editor/stable/darwin/aarch64/${version}`
    await server.call('GET', path, { key: null, headers: { 'x-service-device': device } })
  }
  await server.fleet.settled()
}

async function fail(server: TestServer, devices: readonly string[]) {
  for (const device of devices) {
    await server.call('POST', '/u/editor/stable/outcome', {
      ...{ key: null, headers: { 'x-service-device': device } },
      body: { version: '2.0.0', outcome: 'failed' },
    })
  }
  await server.fleet.settled()
}

/** Offers 2.0.0 to devices, of which most were seen days before it, and the others are new. */
async function startRollout(known: readonly string[], strangers: readonly string[]) {
  const time = { now: START }
  const parts = { clock: () => time.now }
  const folder = preparedFolder()
  const server = await startWithApp({ ...CONFIG, dataFolder: folder }, undefined, parts)
  await publish(server, '1.0.0')
  await check(server, known, '1.0.0')
  time.now += 8 * DAY
  await publish(server, '2.0.0', { plan: rolloutPlan([[100, 6]]) })
  const upgrade = async () => {
    await server.stop()
    await changeStored({ folder }, DOWNGRADE)
    const upgraded = await startServer({ ...CONFIG, dataFolder: folder }, undefined, parts)
    await upgraded.fleet.settled()
    // The other engine corrects its counters when it starts.
    const url = await databaseOf(folder)
    if (url !== undefined) {
      const database = new PostgresDatabase(url)
      await expectCounted(database).finally(() => database.close())
    }
    return upgraded
  }
  await check(server, [...known.slice(0, 50), ...strangers], '1.0.0')
  return { server, time, upgrade }
}

const healthOf = async (server: TestServer) =>
  (await server.call('GET', '/api/v1/releases/editor/stable/2.0.0/health')).body.health

test('failures of known devices from before an upgrade stop a plan that runs, and no others count', async () => {
  const strangers = Array.from({ length: 30 }, (_, index) => `stranger-${index}`)
  const { server, time, upgrade } = await startRollout(DEVICES, strangers)
  await check(server, DEVICES.slice(0, 30), '2.0.0')
  await fail(server, DEVICES.slice(30, 45))
  await fail(server, strangers)
  const upgraded = await upgrade()
  expect(await healthOf(upgraded)).toMatchObject({
    counted: { offered: 50, waiting: 5, adopted: 30, reported: 15 },
    newDevices: { offered: 30, reported: 30 },
  })
  expect(await passTime(upgraded, time)).toBe('stopped')
})

test('so do failures after it, wherever the devices are', async () => {
  const { server, time, upgrade } = await startRollout(DEVICES, [])
  await check(server, DEVICES.slice(0, 40), '2.0.0')
  const upgraded = await upgrade()
  await check(upgraded, DEVICES.slice(50), '1.0.0')
  await check(upgraded, DEVICES.slice(50, 85), '2.0.0')
  await fail(upgraded, DEVICES.slice(85))
  expect(await healthOf(upgraded)).toMatchObject({
    counted: { offered: 100, waiting: 10, adopted: 75, reported: 15 },
  })
  expect(await passTime(upgraded, time)).toBe('stopped')
})

test('a release that works is not stopped after an upgrade', async () => {
  const { server, time, upgrade } = await startRollout(DEVICES, [])
  await check(server, DEVICES.slice(0, 48), '2.0.0')
  await fail(server, DEVICES.slice(48, 50))
  expect(await passTime(await upgrade(), time)).toBe('finished')
})
