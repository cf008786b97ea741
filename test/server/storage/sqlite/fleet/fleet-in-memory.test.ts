import { describe, expect, onTestFinished, test } from 'vitest'
import type { FleetEvent } from '../../../../../src/server/fleet/ingest/live-feed.ts'
import { NotStored } from '../../../../../src/server/fleet/ingest/not-stored.ts'
import type { LabelDelta } from '../../../../../src/server/fleet/labels.ts'
import { ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import { openFleetDatabase } from '../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { openSqliteFleet } from '../../../../../src/server/storage/sqlite/fleet/sqlite-fleet.ts'
import { startThread } from '../../../../../src/server/storage/sqlite/threads/start-thread.ts'
import type {
  ThreadRole,
  ThreadTask,
} from '../../../../../src/server/storage/sqlite/threads/thread-protocol.ts'
import { makeFleetFile } from '../../../../support/builders/fleet-file.ts'
import { setting } from '../../../../support/builders/labels.ts'
import { connect } from '../../../../support/servers/database.ts'
import { MemoryFleetStore } from '../../shared/ingest/memory-store.ts'
import { checkIn, openFile, openFleet, START } from './open-fleet.ts'

describe('recorded facts', () => {
  test('are visible immediately, before they are written', async () => {
    const keys = await makeFleetFile()
    const { fleet } = await openFile(keys)
    fleet.recorder.record(checkIn(keys), setting({ ring: 'beta' }))
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
    fleet.recorder.record(checkIn(keys), setting({ ring: 'beta' }))
    clock.now += 60_000
    const profile = new ProfileClaim(keys.beta, '1.1.0', 'linux', 'x86_64')
    fleet.recorder.record(checkIn(keys, { profile, at: clock.now, source: 'report', reason: null }))
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
    fleet.recorder.record(checkIn(keys, { reason: 'update' }))
    fleet.recorder.record(checkIn(keys, { deviceId: null }))
    expect(received).toEqual([])
    await fleet.writer.settled()
    const common = { at: START, channelKey: keys.stable, version: '1.0.0', source: 'check' }
    const device = { ...common, platform: 'linux', arch: 'x86_64' }
    expect(received).toEqual([
      { sequence: 1, ...device, deviceId: 'one', reason: 'update' },
      { sequence: 2, ...device, deviceId: null, reason: 'up_to_date' },
    ])
  })

  test('are counted as lost if too many new devices wait to be written', async () => {
    const { fleet } = await openFleet(new MemoryFleetStore())
    const profile = new ProfileClaim(1, '1.0.0', 'linux', 'x86_64')
    const common = { appKey: 1, profile, at: START, source: 'check', reason: 'no_release' } as const
    for (let device = 1; device <= 200_003; device++) {
      fleet.recorder.record({ ...common, deviceId: `device-${device}` })
    }
    expect(fleet.health).toMatchObject({ queued: 200_000, lost: 3 })
    await fleet.stop()
    fleet.recorder.record({ ...common, deviceId: 'device-200003' })
    expect(fleet.memory.profileOf(1, 'device-200003')).toBeDefined()
  })
})

describe('the check-ins of a call with a key', () => {
  const named = (deviceId: string, version = '1.0.0') => {
    const profile = new ProfileClaim(1, version, 'linux', 'x86_64')
    return { appKey: 1, deviceId, profile, at: START, source: 'report', reason: null } as const
  }

  test('are all counted, or none if one does not fit', async () => {
    const { fleet } = await openFleet(new MemoryFleetStore())
    onTestFinished(() => fleet.stop())
    fleet.recorder.recordAll({ checkIns: [named('known')], reports: [], labelDeltas: [] })
    for (let device = 2; device < 200_000; device++)
      fleet.recorder.record(named(`device-${device}`))
    expect(() =>
      fleet.recorder.recordAll({
        checkIns: [named('one'), named('known'), named('two')],
        reports: [],
        labelDeltas: [],
      }),
    ).toThrow(NotStored)
    expect(fleet.memory.profileOf(1, 'one')).toBeUndefined()
    expect(fleet.health).toMatchObject({ queued: 199_999, lost: 0 })
    fleet.recorder.recordAll({
      checkIns: [named('one', '2.0.0'), named('known', '2.0.0')],
      reports: [],
      labelDeltas: [],
    })
    expect(fleet.memory.profileOf(1, 'known')).toMatchObject({ version: '2.0.0' })
    expect(() =>
      fleet.recorder.recordAll({ checkIns: [named('three')], reports: [], labelDeltas: [] }),
    ).toThrow(NotStored)
  })
})

describe('labels', () => {
  test('that are committed while stored ones are read are in the answer', async () => {
    const store = new MemoryFleetStore()
    const { fleet } = await openFleet(store)
    onTestFinished(() => fleet.stop())
    const profile = new ProfileClaim(1, '1.0.0', 'linux', 'x86_64')
    const common = { appKey: 1, profile, at: START, source: 'check', reason: 'no_release' } as const
    // More sets than are kept in memory, so that later ones are read from the store.
    for (let set = 0; set <= 50_000; set++) {
      fleet.recorder.record({ ...common, deviceId: 'restless' }, setting({ set: String(set) }))
    }
    fleet.recorder.record({ ...common, deviceId: 'stored' }, setting({ ring: 'stored' }))
    await fleet.writer.settled()
    fleet.recorder.record({ ...common, deviceId: 'waiting' }, setting({ ring: 'waiting' }))
    expect(fleet.labels.inMemory(fleet.memory.find(1, 'stored'))).toBeUndefined()
    store.beforeLabels = () => fleet.writer.settled()
    const labels = await fleet.labels.of(1, ['waiting', 'stored', 'none'])
    expect(labels).toEqual([{ ring: 'waiting' }, { ring: 'stored' }, {}])
  })

  test('survive a restart, changed one after the other', async () => {
    const keys = await makeFleetFile()
    const before = await openFile(keys)
    const record = (labels?: LabelDelta) => before.fleet.recorder.record(checkIn(keys), labels)
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

const DAY = 86_400_000

test('the upkeep of few devices is done without a thread, and only a check-in starts the one that writes', async () => {
  const keys = await makeFleetFile()
  const started: ThreadRole[] = []
  const start = (task: ThreadTask) => {
    started.push(task.role)
    return startThread(task)
  }
  const database = openFleetDatabase(keys.file, { start })
  const clock = { now: START }
  const fleet = await openSqliteFleet(database, {
    onFailure: (error) => expect.fail(String(error)),
    clock: () => clock.now,
  })
  onTestFinished(async () => {
    await fleet.stop()
    await database.close()
  })
  const keepUp = async () => {
    const before = clock.now - 30 * DAY
    for await (const _slice of fleet.retainCheckIns({ before, now: clock.now }));
    let deleted = 0
    for await (const devices of fleet.retainDevices({ before, onceBefore: before })) {
      deleted += devices
    }
    await fleet.sampleHealth(clock.now)
    return { deleted, erasures: await fleet.pendingErasures() }
  }

  expect(await keepUp()).toEqual({ deleted: 0, erasures: [] })
  expect(started).toEqual([])

  await fleet.commit({ checkIns: [checkIn(keys)], reports: [], labelDeltas: [] })
  expect(started).toEqual(['telemetry'])
  clock.now += 40 * DAY
  expect(await keepUp()).toEqual({ deleted: 1, erasures: [] })
  expect(started).toEqual(['telemetry'])
})
