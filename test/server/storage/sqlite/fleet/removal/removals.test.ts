import { expect, onTestFinished, test } from 'vitest'
import { ProfileClaim } from '../../../../../../src/server/fleet/profile-claim.ts'
import { dayOf } from '../../../../../../src/server/fleet/time.ts'
import { FleetDatabase } from '../../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { FleetInMemory } from '../../../../../../src/server/storage/sqlite/fleet/fleet-in-memory.ts'
import { type FleetFile, makeFleetFile } from '../../../../../support/builders/fleet-file.ts'
import { connect } from '../../../../../support/servers/database.ts'

/** More than go in one transaction: some of them are deleted before it. */
const DEVICES = 31_000

async function openWithDevices(keys: FleetFile) {
  const store = FleetDatabase.open(keys.file)
  const failures: unknown[] = []
  const fleet = await FleetInMemory.open(store, { onFailure: (error) => failures.push(error) })
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
