// @module-tag long

import { expect, onTestFinished, test } from 'vitest'
import { ProfileClaim } from '../../../../../../src/server/fleet/profile-claim.ts'
import { dayOf } from '../../../../../../src/server/fleet/time.ts'
import { SharedDevices } from '../../../../../../src/server/storage/shared/memory/shared-devices.ts'
import { historyIssues } from '../../../../../../src/server/storage/sqlite/backup/doctor.ts'
import { openFleetDatabase } from '../../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { openFleetInMemory } from '../../../../../../src/server/storage/sqlite/fleet/fleet-in-memory.ts'
import { type FleetFile, makeFleetFile } from '../../../../../support/builders/fleet-file.ts'
import { DAY } from '../../../../../support/builders/time.ts'
import { connect } from '../../../../../support/servers/database.ts'

const START = Date.UTC(2026, 2, 14, 12)

async function open(keys: FleetFile, clock: () => number) {
  const store = openFleetDatabase(keys.file)
  const database = connect(keys.file)
  const fleet = await openFleetInMemory(store, { onFailure: () => {}, clock })
  let ended: Promise<void> | undefined
  const end = () => (ended ??= fleet.stop().then(() => store.close()))
  onTestFinished(end)
  const record = (deviceId: string) => {
    const profile = new ProfileClaim(keys.stable, '1.0.0', 'linux', 'x86_64')
    const common = { profile, at: clock(), source: 'check', reason: 'up_to_date' } as const
    fleet.recorder.record({ appKey: keys.editor, deviceId, ...common })
  }
  const numberOf = (deviceId: string) => fleet.memory.known(keys.editor, deviceId)?.device
  const erase = (deviceId: string) => fleet.forgotten.erase({ appKey: keys.editor, deviceId })
  /** What retention does in the course of time: the log is deleted, and numbers are freed. */
  const retain = async ({ keepLog = false } = {}) => {
    await fleet.writer.settled()
    if (!keepLog) database.exec('DELETE FROM check_ins')
    const chunks = fleet.memory.table.share()
    const freed = await store.freedDevices(chunks)
    // A large fleet has a thread look.
    expect(await store.read('freedDevices', chunks)).toEqual(freed)
    fleet.memory.reuse(freed)
  }
  const list = async (prefix: string | undefined) => {
    const { rows } = await store.read('deviceList', {
      ...{ chunks: fleet.memory.table.share(), appKey: keys.editor, seenSince: 0, limit: 50 },
      ...{ appChannels: [keys.stable], channels: [keys.stable], sort: 'firstSeen' },
      ...{ version: undefined, platform: undefined, arch: undefined, cursor: undefined },
      ...{ descending: false, backward: false },
      search: prefix === undefined ? undefined : { prefix, label: undefined },
    })
    return rows.map(({ deviceId }) => deviceId)
  }
  return { fleet, store, record, erase, retain, numberOf, list, end }
}

test('a number is given out again once the log holds no check-in of it', async () => {
  const keys = await makeFleetFile()
  let now = START
  let opened = await open(keys, () => now)
  for (const device of ['aa', 'ab', 'ac']) opened.record(device)
  await opened.fleet.writer.settled()
  expect(await opened.list('a')).toEqual(['aa', 'ab', 'ac'])
  expect(await opened.list('ab')).toEqual(['ab'])
  now += DAY
  opened.erase('ab')
  await opened.retain({ keepLog: true })
  opened.record('ad')
  expect(opened.numberOf('ad')).toBe(4)

  await opened.retain()
  now += DAY
  opened.record('ae')
  expect(opened.numberOf('ae')).toBe(2)
  opened.record('af')
  expect(opened.numberOf('af')).toBe(5)
  await opened.fleet.writer.settled()
  // A search that was remembered knows that number 2 is another device now.
  expect(await opened.list('ab')).toEqual([])
  expect(await opened.list('ae')).toEqual(['ae'])
  // In the order in which they came, not that of their numbers.
  expect(await opened.list(undefined)).toEqual(['aa', 'ac', 'ad', 'ae', 'af'])
  await opened.end()

  const database = connect(keys.file)
  expect(historyIssues(database)).toEqual([])
  expect(database.prepare('SELECT count(*) FROM freed_devices').pluck().get()).toBe(0)
  opened = await open(keys, () => now)
  const { lastCheckIn = 0, lastChange = 0 } = opened.fleet.memory.known(keys.editor, 'ae') ?? {}
  expect(await opened.store.read('deviceChanges', 2, lastChange, 10)).toHaveLength(1)
  expect(await opened.store.read('deviceCheckIns', 2, lastCheckIn, 10)).toHaveLength(1)
})

test('a number that was freed before a restart is given out after it', async () => {
  const keys = await makeFleetFile()
  let opened = await open(keys, () => START)
  for (const device of ['a', 'b']) opened.record(device)
  opened.erase('b')
  await opened.end()
  opened = await open(keys, () => START)
  opened.record('c')
  expect(opened.numberOf('c')).toBe(3)
  await opened.retain()
  opened.record('d')
  expect(opened.numberOf('d')).toBe(2)
})

test('devices that come and go take no more memory than those that are there at a time', async () => {
  const keys = await makeFleetFile()
  const opened = await open(keys, () => START)
  for (let round = 0; round < 12; round++) {
    for (let device = 0; device < 2_000; device++) opened.record(`${round}-${device}`)
    await opened.fleet.writer.settled()
    for (let device = 0; device < 2_000; device++) opened.erase(`${round}-${device}`)
    await opened.retain()
  }
  const { room } = new SharedDevices(opened.fleet.memory.table.share())
  // Without that, 24,000 devices would take two chunks.
  expect(room).toBe(16_383)
  const database = connect(keys.file)
  expect(
    database.prepare('SELECT max(device) FROM freed_devices').pluck().get(),
  ).toBeLessThanOrEqual(4_000)
})

/** More than go in one transaction: some of them are deleted before it. */
const DEVICES = 31_000

async function openWithDevices(keys: FleetFile) {
  const store = openFleetDatabase(keys.file)
  const failures: unknown[] = []
  const fleet = await openFleetInMemory(store, { onFailure: (error) => failures.push(error) })
  onTestFinished(async () => {
    await fleet.stop()
    await store.close()
  })
  const record = (deviceId: string, channelKey = keys.stable, appKey = keys.editor) => {
    const profile = new ProfileClaim(channelKey, '1.0.0', 'linux', 'x86_64')
    const common = { profile, at: Date.now(), source: 'check', reason: 'up_to_date' } as const
    fleet.recorder.record({ appKey, deviceId, ...common })
  }
  for (let device = 0; device < DEVICES; device++) record(`device-${device}`)
  record('other', keys.playerStable, keys.player)
  const counted = async (appKey: number) => {
    await fleet.writer.settled()
    const versions = await store.presence(appKey, dayOf(Date.now()))
    return versions.reduce((sum, { devices }) => sum + devices, 0)
  }
  const deleteDevices = (devices: Int32Array) => store.removeDevices(devices)
  return { fleet, failures, record, counted, deleteDevices }
}

test('a removal that fails late leaves correct counts', async () => {
  const keys = await makeFleetFile()
  const { fleet, failures, record, counted, deleteDevices } = await openWithDevices(keys)
  let left = 0
  const commit = async (devices: Int32Array) => {
    left = devices.length
    record('device-0')
    record('late')
    return false
  }
  expect(await fleet.removals.run([keys.stable], { deleteDevices, commit })).toBe(false)
  expect(left).toBeLessThan(DEVICES)
  expect(await counted(keys.editor)).toBe(left)
  expect(fleet.memory.profileOf(keys.editor, 'device-0')).toBeUndefined()
  expect(fleet.memory.profileOf(keys.editor, `device-${DEVICES - 1}`)).toBeDefined()
  // It comes back as a new device.
  record('device-0')
  expect(await counted(keys.editor)).toBe(left + 1)
  expect(await counted(keys.player)).toBe(1)
  expect(failures).toEqual([])
  const stored = connect(keys.file).prepare('SELECT count(*) FROM device_states').pluck().get()
  expect(stored).toBe(left + 2)
})

test('a failure goes to the caller, and the channel is open again', async () => {
  const keys = await makeFleetFile()
  const { fleet, record, counted } = await openWithDevices(keys)
  const fail = () => Promise.reject(new Error('no'))
  const removing = fleet.removals.run([keys.stable], { deleteDevices: fail, commit: fail })
  await expect(removing).rejects.toThrow('no')
  record('late')
  expect(await counted(keys.editor)).toBe(DEVICES + 1)
})

test('late check-ins of a removed channel are not recorded', async () => {
  const keys = await makeFleetFile()
  const { fleet, failures, record, counted, deleteDevices } = await openWithDevices(keys)
  const commit = async (devices: Int32Array) => {
    await deleteDevices(devices)
    return true
  }
  expect(await fleet.removals.run([keys.stable], { deleteDevices, commit })).toBe(true)
  const profile = new ProfileClaim(keys.stable, '9.9.9', 'linux', 'riscv64')
  const late = { deviceId: 'late', at: Date.now(), source: 'check', reason: 'up_to_date' } as const
  fleet.recorder.record({ appKey: keys.editor, profile, ...late })
  record('device-0')
  record('device-1', keys.beta)
  await fleet.writer.settled()
  const database = connect(keys.file)
  expect(database.prepare('SELECT device_id FROM devices ORDER BY id').pluck().all()).toEqual([
    'other',
    'device-1',
  ])
  const versions = database.prepare('SELECT count(*) FROM profiles WHERE version = ?').pluck()
  expect(versions.get('9.9.9')).toBe(0)
  expect(await counted(keys.player)).toBe(1)
  expect(fleet.health).toMatchObject({ lost: 0, failure: null })
  expect(failures).toEqual([])
})
