import { expect, onTestFinished, test } from 'vitest'
import { ProfileClaim } from '../../../../../../src/server/fleet/profile-claim.ts'
import { SharedDevices } from '../../../../../../src/server/storage/shared/memory/shared-devices.ts'
import { historyIssues } from '../../../../../../src/server/storage/sqlite/backup/doctor.ts'
import { FleetDatabase } from '../../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { FleetInMemory } from '../../../../../../src/server/storage/sqlite/fleet/fleet-in-memory.ts'
import { type FleetFile, makeFleetFile } from '../../../../../support/builders/fleet-file.ts'
import { DAY } from '../../../../../support/builders/time.ts'
import { connect } from '../../../../../support/servers/database.ts'

const START = Date.UTC(2026, 2, 14, 12)

async function open(keys: FleetFile, clock: () => number) {
  const store = FleetDatabase.open(keys.file)
  const database = connect(keys.file)
  const fleet = await FleetInMemory.open(store, { onFailure: () => {}, clock })
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
    fleet.memory.reuse(await store.read('freedDevices', fleet.memory.table.share()))
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
