import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CheckIn } from '../../../../../src/server/fleet/check-in.ts'
import { ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import { openFleetDatabase } from '../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { startThread } from '../../../../../src/server/storage/sqlite/threads/start-thread.ts'
import type {
  ThreadRole,
  ThreadTask,
} from '../../../../../src/server/storage/sqlite/threads/thread-protocol.ts'
import { makeFleetFile } from '../../../../support/builders/fleet-file.ts'
import { setting } from '../../../../support/builders/labels.ts'
import { DAY, HOUR } from '../../../../support/builders/time.ts'
import { recountedCounters, storedCounters } from '../../../../support/check-in-log/counters.ts'
import { recountedHistory, storedHistory } from '../../../../support/check-in-log/history.ts'
import { eventually } from '../../../../support/eventually.ts'
import { connect } from '../../../../support/servers/database.ts'
import { Clock, checkIn, openFile, openFleet, START } from './open-fleet.ts'

describe('counters', () => {
  const step = fc.record({
    device: fc.constantFrom('one', 'two', 'three', 'four', 'five', null),
    version: fc.constantFrom('1.0.0', '1.1.0', '2.0.0-rc.1+build.7'),
    channel: fc.constantFrom('stable', 'beta', 'playerStable' as const),
    offered: fc.boolean(),
    wait: fc.oneof(fc.constant(0), fc.nat({ max: HOUR }), fc.nat({ max: 2 * DAY })),
    after: fc.oneof(
      { weight: 12, arbitrary: fc.constant('go on' as const) },
      { weight: 1, arbitrary: fc.constantFrom('commit', 'restart', 'crash') },
    ),
  })

  test('agree with a recount of all check-ins over days, restarts and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 100 }), async (steps) => {
        const keys = await makeFleetFile()
        const clock = new Clock()
        let opened = await openFile(keys, clock)
        for (const { device, version, channel, offered, wait, after } of steps) {
          clock.now += wait
          const { fleet } = opened
          const appKey = channel === 'playerStable' ? keys.player : keys.editor
          const profile = new ProfileClaim(keys[channel as 'stable'], version, 'linux', 'x64')
          const reason = offered ? 'update' : 'up_to_date'
          fleet.recorder.record({
            appKey,
            deviceId: device,
            profile,
            at: clock.now,
            source: 'check',
            reason,
          })
          if (after === 'go on') continue
          await fleet.writer.settled()
          if (after === 'commit') continue
          await (after === 'restart' ? opened.close() : opened.crash())
          opened = await openFile(keys, clock)
        }
        await opened.close()
        const database = connect(keys.file)
        expect(database.prepare('SELECT count(*) FROM check_ins').pluck().get()).toBe(steps.length)
        expect(storedCounters(database)).toEqual(recountedCounters(database))
        expect(storedHistory(database)).toEqual(recountedHistory(database))
      }),
      { numRuns: 4 },
    )
  })

  test('count check-ins by version and day', async () => {
    const keys = await makeFleetFile()
    const { fleet, store, clock } = await openFile(keys)
    const seen = (deviceId: string | null, version: string, reason: CheckIn['reason']) => {
      const profile = new ProfileClaim(keys.stable, version, 'linux', 'x86_64')
      fleet.recorder.record(checkIn(keys, { deviceId, profile, at: clock.now, reason }))
    }
    for (const device of ['a', 'b', 'c']) seen(device, '1.0.0', 'update')
    clock.now += 8 * DAY
    for (const device of ['a', 'b']) seen(device, '1.1.0', 'up_to_date')
    seen('a', '1.1.0', 'up_to_date')
    seen(null, '1.0.0', 'update')
    await fleet.writer.settled()
    const today = Math.floor(clock.now / DAY)
    const none = { seenToday: 0, seenLast7Days: 0, seenLast30Days: 1 }
    const two = { devices: 2, seenToday: 2, seenLast7Days: 2, seenLast30Days: 2 }
    const versions = await store.presence(keys.editor, today)
    expect(versions.toSorted((one, other) => (one.version < other.version ? -1 : 1))).toEqual([
      { channel: 'stable', version: '1.0.0', devices: 1, ...none },
      { channel: 'stable', version: '1.1.0', ...two },
    ])
    expect(await store.adoption(keys.editor, today - 8, today)).toEqual([
      { day: '2026-03-14', channel: 'stable', version: '1.0.0', devices: 3 },
      { day: '2026-03-22', channel: 'stable', version: '1.1.0', devices: 2 },
    ])
    const hour = Math.floor(clock.now / HOUR)
    expect(await store.traffic(keys.editor, hour)).toEqual([
      { channel: 'stable', checkIns: 4, anonymous: 1, offers: 1 },
      { channel: 'beta', checkIns: 0, anonymous: 0, offers: 0 },
    ])
    expect(await store.presence(keys.player, today)).toEqual([])
  })
})

describe('a start', () => {
  test('replays what the device rows do not contain yet', async () => {
    const keys = await makeFleetFile()
    const before = await openFile(keys)
    // More than one flush writes.
    const names = Array.from({ length: 1_500 }, (_, at) => `device-${at}`)
    for (const deviceId of names) before.fleet.recorder.record(checkIn(keys, { deviceId }))
    await before.fleet.writer.settled()
    before.clock.now += DAY
    const newer = new ProfileClaim(keys.stable, '1.1.0', 'linux', 'x86_64')
    for (const deviceId of names) {
      before.fleet.recorder.record(
        checkIn(keys, { deviceId, profile: newer, at: before.clock.now }),
      )
    }
    await before.fleet.writer.settled()
    await before.crash()

    const database = connect(keys.file)
    const behind = database
      .prepare(
        `SELECT count(*) FROM device_states JOIN profiles ON profiles.id = profile
        WHERE version <> '1.1.0'`,
      )
      .pluck()
    expect(behind.get()).toBeGreaterThan(0)
    const after = await openFile(keys, before.clock)
    const versions = names.map((name) => after.fleet.memory.profileOf(keys.editor, name)?.version)
    expect(new Set(versions)).toEqual(new Set(['1.1.0']))
    await after.close()
    expect(behind.get()).toBe(0)
    const lastSeen = database.prepare('SELECT DISTINCT last_seen FROM device_states').pluck().all()
    expect(lastSeen).toEqual([START + DAY])
    expect(storedCounters(database)).toEqual(recountedCounters(database))
  })

  test('goes on with the numbers of devices, check-ins and profiles', async () => {
    const keys = await makeFleetFile()
    const before = await openFile(keys)
    before.fleet.recorder.record(checkIn(keys))
    await before.close()
    const after = await openFile(keys)
    after.fleet.recorder.record(checkIn(keys, { deviceId: 'two' }))
    after.fleet.recorder.record(checkIn(keys, { deviceId: 'one' }))
    await after.close()
    const database = connect(keys.file)
    expect(database.prepare('SELECT id, device FROM check_ins').raw().all()).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
    ])
    expect(database.prepare('SELECT count(*) FROM profiles').pluck().get()).toBe(1)
  })

  test('sets a presence counter right that is off, without a single check-in', async () => {
    const keys = await makeFleetFile()
    const before = await openFile(keys)
    for (const deviceId of ['a', 'b', 'c']) {
      before.fleet.recorder.record(checkIn(keys, { deviceId }))
    }
    await before.close()
    const database = connect(keys.file)
    const day = Math.floor(START / DAY)
    database.exec('UPDATE presence SET devices = 7')
    database.prepare('INSERT INTO presence VALUES (1, ?, 4), (1, ?, -2)').run(day - 1, day - 2)
    await openFile(keys)
    await eventually(() =>
      expect(storedCounters(database).presence).toEqual(recountedCounters(database).presence),
    )
  })
})

test('a start reads the states of many devices on another thread, and then the end of the log', async () => {
  const keys = await makeFleetFile()
  const before = await openFile(keys)
  before.fleet.recorder.record(checkIn(keys), setting({ ring: 'beta' }))
  await before.fleet.writer.settled()
  await before.close()
  connect(
    keys.file,
  ).exec(`WITH RECURSIVE more (id) AS (SELECT 2 UNION ALL SELECT id + 1 FROM more WHERE id < 40000)
      INSERT INTO devices (id, app_key, device_id, labels, first_seen, keyed)
      SELECT more.id, app_key, 'number ' || more.id, labels, first_seen, 1 FROM more, devices;
    INSERT INTO device_states (device, profile, last_seen, last_check_in, evidence)
      SELECT id, 1, first_seen + id, id, 1 FROM devices WHERE id > 1;
    INSERT INTO check_ins (id, device, at, profile, kind, previous)
      VALUES (50000, 39999, ${START + DAY}, 1, 3, 39999)`)
  const started: ThreadRole[] = []
  const start = (task: ThreadTask) => {
    started.push(task.role)
    return startThread(task)
  }
  const database = openFleetDatabase(keys.file, { start })
  onTestFinished(() => database.close())
  const { memory, labels } = (await openFleet(database)).fleet
  expect(started).toEqual(['reader'])
  const facts = (id: number) => {
    const {
      lastSeen = 0,
      lastCheckIn = 0,
      device = 0,
    } = memory.known(keys.editor, `number ${id}`) ?? {}
    return [device, lastSeen - START, lastCheckIn, memory.table.evidence(device)]
  }
  expect([2, 20_000, 39_999, 40_000].map(facts)).toEqual([
    [2, 2, 2, 5],
    [20_000, 20_000, 20_000, 5],
    [39_999, DAY, 50_000, 5],
    [40_000, 40_000, 40_000, 5],
  ])
  expect(memory.known(keys.editor, 'one')).toMatchObject({ device: 1, lastSeen: START })
  expect(await labels.of(keys.editor, ['one', 'number 40000'])).toEqual([
    { ring: 'beta' },
    { ring: 'beta' },
  ])
})
