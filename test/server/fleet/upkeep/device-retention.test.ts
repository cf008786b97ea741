import { expect, onTestFinished, test } from 'vitest'
import type { DeviceRule } from '../../../../src/server/fleet/store.ts'
import { deviceRetention } from '../../../../src/server/fleet/upkeep/jobs.ts'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'
import { openFleetDatabase } from '../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { openSqliteFleet } from '../../../../src/server/storage/sqlite/fleet/sqlite-fleet.ts'
import { item } from '../../../support/builders/devices.ts'
import { DAY } from '../../../support/builders/time.ts'
import { storedCounters } from '../../../support/check-in-log/counters.ts'
import { eventually } from '../../../support/eventually.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { connect, connectTo, countRows } from '../../../support/servers/database.ts'
import { checkAs, report } from '../../../support/servers/fleet-calls.ts'
import { startServer, startWithApp, type TestServer } from '../../../support/servers/server.ts'

/** Sets back when devices were seen, as if the server had run that long ago. */
function age(server: TestServer, device: string, days: number, first = days): void {
  const database = connectTo(server)
  const [lastSeen, firstSeen] = [Date.now() - days * DAY, Date.now() - first * DAY]
  const set =
    'UPDATE device_states SET last_seen = ? WHERE device = (SELECT id FROM devices WHERE device_id = ?)'
  database.prepare(set).run(lastSeen, device)
  database.prepare('UPDATE devices SET first_seen = ? WHERE device_id = ?').run(firstSeen, device)
  if (days === first) {
    database
      .prepare(`UPDATE devices SET first_seen = (SELECT last_seen FROM device_states WHERE device = id)
        WHERE device_id = ?`)
      .run(device)
  }
  database.close()
}

test('devices not seen for long are deleted at the start, those seen once without a key earlier', async () => {
  const first = await startWithApp()
  for (const device of ['once', 'once-lately', 'twice', 'kept', 'gone']) {
    await checkAs(first, '1.0.0', { device, query: '?l.ring=beta' })
  }
  for (const device of ['twice', 'kept', 'gone']) await checkAs(first, '1.1.0', { device })
  await report(first, [item('keyed')])
  await first.stop()
  age(first, 'once', 31)
  age(first, 'once-lately', 29)
  age(first, 'twice', 31, 32)
  age(first, 'keyed', 31)
  age(first, 'kept', 399, 500)
  age(first, 'gone', 401, 500)
  const database = connect(`${first.folder}/tidegate.db`)
  const adopted = storedCounters(database).adoption

  const second = await startServer({ dataFolder: first.folder })
  const names = database.prepare('SELECT device_id FROM devices ORDER BY device_id').pluck()
  const left = ['kept', 'keyed', 'once-lately', 'twice']
  await eventually(() => expect(names.all()).toEqual(left))
  const app = second.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
  expect(await profileOf(second.fleet, app, 'gone')).toBeUndefined()
  expect(await profileOf(second.fleet, app, 'kept')).toBeDefined()
  for (const table of ['device_states', 'devices']) expect(countRows(database, table)).toBe(4)
  const orphans = `SELECT count(*) FROM profile_changes
    WHERE device NOT IN (SELECT id FROM devices)`
  expect(database.prepare(orphans).pluck().get()).toBe(0)
  const presence = Object.values(storedCounters(database).presence)
  expect(presence.reduce((sum, devices) => sum + devices, 0)).toBe(4)
  expect(storedCounters(database).adoption).toEqual(adopted)

  // A device that is back is a new one.
  await checkAs(second, '1.2.0', { device: 'gone' })
  await second.fleet.settled()
  const back = await second.fleet.device(app, 'gone')
  expect(back).toMatchObject({ deviceId: 'gone', labels: {} })
  expect(back?.firstSeen).toBeGreaterThan(Date.now() - DAY)
})

test('0 days keep devices however long they were not seen', async () => {
  const first = await startWithApp()
  for (const device of ['old', 'once', 'here']) await checkAs(first, '1.0.0', { device })
  await checkAs(first, '1.1.0', { device: 'old' })
  await first.stop()
  age(first, 'old', 5_000, 5_001)
  age(first, 'once', 5_000)
  const second = await startServer({
    dataFolder: first.folder,
    keepDeviceDays: 0,
    keepSeenOnceDays: 30,
  })
  const database = connectTo(second)
  const names = database.prepare('SELECT device_id FROM devices ORDER BY device_id').pluck()
  await eventually(() => expect(names.all()).toEqual(['here', 'old']))
})

test('many devices are deleted in slices, while checks are answered', async () => {
  const first = await startWithApp()
  const devices = Array.from({ length: 1_200 }, (_, at) => item(`device-${at}`))
  for (let at = 0; at < devices.length; at += 400) await report(first, devices.slice(at, at + 400))
  await checkAs(first, '1.0.0', { device: 'here' })
  await first.stop()
  const database = connect(`${first.folder}/tidegate.db`)
  database.prepare('UPDATE device_states SET last_seen = ?').run(Date.now() - 401 * DAY)
  age(first, 'here', 0)
  const second = await startServer({ dataFolder: first.folder })
  await eventually(async () => {
    await checkAs(second, '1.0.0', { device: 'here' })
    await second.fleet.settled()
    expect(countRows(database, 'devices')).toBe(1)
  })
  expect(Object.values(storedCounters(database).presence)).toEqual([1])
})

test('counters that are back at zero take no row', async () => {
  const server = await startWithApp()
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    await checkAs(server, version, { device: 'one' })
    await server.fleet.settled()
  }
  const database = connectTo(server)
  for (const table of ['adoption', 'hourly_adoption', 'presence']) {
    const cells = database.prepare(`SELECT profile, devices FROM ${table}`).raw().all()
    expect(cells, table).toEqual([[3, 1]])
  }
})

test('a start with a clock that is years ahead deletes nothing', async () => {
  const first = await startWithApp()
  for (const device of ['one', 'two']) await checkAs(first, '1.0.0', { device })
  await first.stop()
  for (const device of ['one', 'two']) age(first, device, 5_000)
  const database = openFleetDatabase(dataFile(first.folder))
  const onFailure = (error: unknown) => expect.fail(String(error))
  const fleet = await openSqliteFleet(database, { onFailure })
  onTestFinished(() => fleet.stop().then(() => database.close()))
  const done = Promise.withResolvers<DeviceRule>()
  async function* retainDevices(rule: DeviceRule) {
    yield* fleet.retainDevices(rule)
    done.resolve(rule)
  }
  const { newestSeenAtStart } = fleet
  const retention = deviceRetention(
    { newestSeenAtStart, retainDevices },
    {
      ...{ keepDays: 400, keepSeenOnceDays: 30, clock: Date.now, onFailure },
      onDeleted: () => expect.fail('a device was deleted'),
    },
  )
  retention.start()
  const never = Number.NEGATIVE_INFINITY
  expect(await done.promise).toEqual({ before: never, onceBefore: never })
  await retention.stop()
  expect(countRows(connectTo(first), 'devices')).toBe(2)
})
