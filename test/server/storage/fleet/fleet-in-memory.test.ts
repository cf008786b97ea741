import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Heartbeat } from '../../../../src/server/fleet/check-in.ts'
import type { FleetEvent } from '../../../../src/server/fleet/ingest/live-feed.ts'
import { NotStored } from '../../../../src/server/fleet/ingest/not-stored.ts'
import { ProfileClaim } from '../../../../src/server/fleet/profile-claim.ts'
import type { TelemetryDatabase } from '../../../../src/server/storage/fleet/batch.ts'
import { FleetDatabase } from '../../../../src/server/storage/fleet/database/fleet-database.ts'
import { FleetInMemory } from '../../../../src/server/storage/fleet/fleet-in-memory.ts'
import { type FleetFile, makeFleetFile } from '../../../support/builders/fleet-file.ts'
import { setting } from '../../../support/builders/labels.ts'
import { DAY, HOUR } from '../../../support/builders/time.ts'
import { recountedCounters, storedCounters } from '../../../support/check-in-log/counters.ts'
import { recountedHistory, storedHistory } from '../../../support/check-in-log/history.ts'
import { eventually } from '../../../support/eventually.ts'
import { connect } from '../../../support/servers/database.ts'
import { MemoryFleetStore } from './ingest/memory-store.ts'

// What takes seconds alone takes longer on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const START = Date.UTC(2026, 2, 14, 9)

/** A clock that stands until it is moved. */
class Clock {
  now = START
  readonly read = () => this.now
}

async function openFleet(store: TelemetryDatabase, clock = new Clock()) {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const fleet = await FleetInMemory.open(store, { onFailure, clock: clock.read })
  return { fleet, clock, failures }
}

async function openFile({ file }: FleetFile, clock?: Clock) {
  const store = FleetDatabase.open(file)
  const opened = await openFleet(store, clock)
  let closed: Promise<void> | undefined
  const close = () => (closed ??= opened.fleet.stop().then(() => store.close()))
  /** As a crash leaves it: what is committed stays, nothing else is written. */
  const crash = async () => {
    closed = store.close()
    await closed
  }
  onTestFinished(close)
  return { ...opened, store, close, crash }
}

function heartbeat(keys: FleetFile, more: Partial<Heartbeat> = {}): Heartbeat {
  const profile = new ProfileClaim(keys.stable, '1.0.0', 'linux', 'x86_64')
  const common = { deviceId: 'one', profile, source: 'check', reason: 'up_to_date' } as const
  return { appKey: keys.editor, ...common, ...more }
}

describe('what is recorded', () => {
  test('is visible at once, before it is written', async () => {
    const keys = await makeFleetFile()
    const { fleet } = await openFile(keys)
    fleet.recorder.record(heartbeat(keys, { labels: setting({ ring: 'beta' }) }))
    expect(fleet.memory.profileOf(keys.editor, 'one')).toMatchObject({
      version: '1.0.0',
      arch: 'x86_64',
    })
    const labels = await fleet.labels.of(keys.editor, ['none', 'one'])
    expect(labels).toEqual([{}, { ring: 'beta' }])
    expect(fleet.memory.profileOf(keys.player, 'one')).toBeUndefined()
    expect(fleet.health).toEqual({ queued: 1, lost: 0, failure: null, budgets: [] })
  })

  test('is in the database when it is settled', async () => {
    const keys = await makeFleetFile()
    const { fleet, store, clock } = await openFile(keys)
    fleet.recorder.record(heartbeat(keys, { labels: setting({ ring: 'beta' }) }))
    clock.now += 60_000
    const profile = new ProfileClaim(keys.beta, '1.1.0', 'linux', 'x86_64')
    fleet.recorder.record(heartbeat(keys, { profile, source: 'report', reason: null }))
    await fleet.writer.settled()
    expect(await store.device(keys.editor, 'one')).toMatchObject({
      ...{ deviceId: 'one', appKey: keys.editor, labels: { ring: 'beta' } },
      profile: { channelKey: keys.beta, version: '1.1.0', platform: 'linux', arch: 'x86_64' },
      ...{ firstSeen: START, lastSeen: START + 60_000 },
    })
    expect(fleet.health.queued).toBe(0)
    const checkIns = connect(keys.file).prepare('SELECT id, device, at, kind FROM check_ins').all()
    expect(checkIns).toEqual([
      { id: 1, device: 1, at: START, kind: 3 },
      { id: 2, device: 1, at: START + 60_000, kind: 32 },
    ])
  })

  test('is announced to the live feed', async () => {
    const keys = await makeFleetFile()
    const { fleet } = await openFile(keys)
    const received: FleetEvent[] = []
    fleet.feed.subscribe((event) => received.push(event))
    fleet.recorder.record(heartbeat(keys, { reason: 'update' }))
    fleet.recorder.record(heartbeat(keys, { deviceId: null }))
    const common = { at: START, channelKey: keys.stable, version: '1.0.0', source: 'check' }
    const device = { ...common, platform: 'linux', arch: 'x86_64' }
    expect(received).toEqual([
      { sequence: 1, ...device, deviceId: 'one', reason: 'update' },
      { sequence: 2, ...device, deviceId: null, reason: 'up_to_date' },
    ])
  })

  test('is counted lost where too many new devices wait to be written', async () => {
    const { fleet } = await openFleet(new MemoryFleetStore())
    const profile = new ProfileClaim(1, '1.0.0', 'linux', 'x86_64')
    const common = { appKey: 1, profile, source: 'check', reason: 'no_release' } as const
    for (let device = 1; device <= 200_003; device++) {
      fleet.recorder.record({ ...common, deviceId: `device-${device}` })
    }
    expect(fleet.health).toMatchObject({ queued: 200_000, lost: 3 })
    await fleet.stop()
    fleet.recorder.record({ ...common, deviceId: 'device-200003' })
    expect(fleet.memory.profileOf(1, 'device-200003')).toBeDefined()
  })
})

describe('the heartbeats of a call with a key', () => {
  const named = (deviceId: string, version = '1.0.0') => {
    const profile = new ProfileClaim(1, version, 'linux', 'x86_64')
    return { appKey: 1, deviceId, profile, source: 'report', reason: null } as const
  }

  test('are counted all, or none where there is no room for one of them', async () => {
    const { fleet } = await openFleet(new MemoryFleetStore())
    onTestFinished(() => fleet.stop())
    fleet.recorder.recordAll([named('known')], (heartbeat) => heartbeat)
    for (let device = 2; device < 200_000; device++)
      fleet.recorder.record(named(`device-${device}`))
    expect(() =>
      fleet.recorder.recordAll(
        [named('one'), named('known'), named('two')],
        (heartbeat) => heartbeat,
      ),
    ).toThrow(NotStored)
    expect(fleet.memory.profileOf(1, 'one')).toBeUndefined()
    expect(fleet.health).toMatchObject({ queued: 199_999, lost: 0 })
    fleet.recorder.recordAll(
      [named('one', '2.0.0'), named('known', '2.0.0')],
      (heartbeat) => heartbeat,
    )
    expect(fleet.memory.profileOf(1, 'known')).toMatchObject({ version: '2.0.0' })
    expect(() => fleet.recorder.recordAll([named('three')], (heartbeat) => heartbeat)).toThrow(
      NotStored,
    )
  })
})

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
          fleet.recorder.record({ appKey, deviceId: device, profile, source: 'check', reason })
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

  test('answer by version and day what the check-ins say', async () => {
    const keys = await makeFleetFile()
    const { fleet, store, clock } = await openFile(keys)
    const seen = (deviceId: string | null, version: string, reason: Heartbeat['reason']) => {
      const profile = new ProfileClaim(keys.stable, version, 'linux', 'x86_64')
      fleet.recorder.record(heartbeat(keys, { deviceId, profile, reason }))
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
  test('replays what the device rows do not hold yet', async () => {
    const keys = await makeFleetFile()
    const before = await openFile(keys)
    // More than one flush writes.
    const names = Array.from({ length: 1_500 }, (_, at) => `device-${at}`)
    for (const deviceId of names) before.fleet.recorder.record(heartbeat(keys, { deviceId }))
    await before.fleet.writer.settled()
    before.clock.now += DAY
    const newer = new ProfileClaim(keys.stable, '1.1.0', 'linux', 'x86_64')
    for (const deviceId of names) {
      before.fleet.recorder.record(heartbeat(keys, { deviceId, profile: newer }))
    }
    await before.fleet.writer.settled()
    await before.crash()

    const database = connect(keys.file)
    const behind = database.prepare('SELECT count(*) FROM device_states WHERE profile <> ?').pluck()
    expect(behind.get(newer.id)).toBeGreaterThan(0)
    const after = await openFile(keys, before.clock)
    const versions = names.map((name) => after.fleet.memory.profileOf(keys.editor, name)?.version)
    expect(new Set(versions)).toEqual(new Set(['1.1.0']))
    await after.close()
    expect(behind.get(newer.id)).toBe(0)
    const lastSeen = database.prepare('SELECT DISTINCT last_seen FROM device_states').pluck().all()
    expect(lastSeen).toEqual([START + DAY])
    expect(storedCounters(database)).toEqual(recountedCounters(database))
  })

  test('goes on with the numbers of devices, check-ins and profiles', async () => {
    const keys = await makeFleetFile()
    const before = await openFile(keys)
    before.fleet.recorder.record(heartbeat(keys))
    await before.close()
    const after = await openFile(keys)
    after.fleet.recorder.record(heartbeat(keys, { deviceId: 'two' }))
    after.fleet.recorder.record(heartbeat(keys, { deviceId: 'one' }))
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
      before.fleet.recorder.record(heartbeat(keys, { deviceId }))
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

describe('labels', () => {
  test('that are committed while stored ones are read are in the answer', async () => {
    const store = new MemoryFleetStore()
    const { fleet } = await openFleet(store)
    onTestFinished(() => fleet.stop())
    const profile = new ProfileClaim(1, '1.0.0', 'linux', 'x86_64')
    const common = { appKey: 1, profile, source: 'check', reason: 'no_release' } as const
    // More sets than are kept in memory, so that later ones are read from the store.
    for (let set = 0; set <= 50_000; set++) {
      fleet.recorder.record({
        ...common,
        deviceId: 'restless',
        labels: setting({ set: String(set) }),
      })
    }
    fleet.recorder.record({ ...common, deviceId: 'stored', labels: setting({ ring: 'stored' }) })
    await fleet.writer.settled()
    fleet.recorder.record({ ...common, deviceId: 'waiting', labels: setting({ ring: 'waiting' }) })
    expect(fleet.labels.inMemory(fleet.memory.find(1, 'stored'))).toBeUndefined()
    store.beforeLabels = () => fleet.writer.settled()
    const labels = await fleet.labels.of(1, ['waiting', 'stored', 'none'])
    expect(labels).toEqual([{ ring: 'waiting' }, { ring: 'stored' }, {}])
  })

  test('survive a restart, changed one after the other', async () => {
    const keys = await makeFleetFile()
    const before = await openFile(keys)
    const record = (labels: Heartbeat['labels']) =>
      before.fleet.recorder.record(heartbeat(keys, { labels }))
    record(setting({ ring: 'beta', site: 'Zürich 🎬', gone: 'x' }))
    await before.fleet.writer.settled()
    record({ set: { ring: 'internal' }, remove: ['gone'] })
    record(undefined)
    await before.close()
    const after = await openFile(keys)
    expect(await after.fleet.labels.of(keys.editor, ['one'])).toEqual([
      { ring: 'internal', site: 'Zürich 🎬' },
    ])
  })
})
