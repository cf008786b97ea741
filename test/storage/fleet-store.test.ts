import { describe, expect, onTestFinished, test } from 'vitest'
import type { TelemetryBatch } from '../../src/server/fleet/store.ts'
import { SqliteFleetStore } from '../../src/server/storage/fleet-store.ts'
import { FleetWriter } from '../../src/server/storage/fleet-writer.ts'
import { connect, makeFleetFile } from '../fleet/helpers.ts'
import { fleetStoreContract } from './fleet-store.contract.ts'

fleetStoreContract('a fleet in SQLite', async () => {
  const { file, editor, player, stable, beta } = await makeFleetFile()
  let store = SqliteFleetStore.open(file)
  const reopen = async () => {
    await store.close()
    store = SqliteFleetStore.open(file)
    return store
  }
  const close = () => store.close()
  return { store, reopen, app: editor, otherApp: player, stable, beta, close }
})

function batchOf(number: number, stable: number, appKey: number): TelemetryBatch {
  const at = Date.UTC(2026, 2, 14)
  const numbers = { id: number, lastCheckIn: number, lastChange: number }
  const said = { ...numbers, profile: 1, firstSeen: at, lastSeen: at, keyed: false }
  const none = new Float64Array()
  const running = { version: '1.0.0', platform: 'linux', arch: 'x64' }
  const known = { appKey, namedBy: 1, lastDay: 20_526 } as const
  const profile = { id: 1, channelKey: stable, ...running, ...known }
  return {
    ...{ number, profiles: number === 1 ? [profile] : [], lost: 0, rowsThrough: 0 },
    newDevices: [{ ...said, appKey, deviceId: `device-${number}` }],
    checkIns: Float64Array.of(number, number, at, 1, 3, 0),
    changes: Float64Array.of(number, number, at, 1, 0),
    adoption: Float64Array.of(1, 20_526, 1),
    hourly: Float64Array.of(1, 492_624, 1),
    presence: Float64Array.of(1, 20_526, 1),
    traffic: Float64Array.of(stable, 492_624, 1, 0, 0),
    labels: [[number, { ring: 'beta' }]],
    ...{ deviceRows: none, profileRows: none, retired: none, gone: none, erased: [] },
  }
}

describe('the writer of batches', () => {
  test('applies each number once, however often it is given', async () => {
    const { file, stable, editor } = await makeFleetFile()
    const writer = new FleetWriter(connect(file))
    for (const number of [1, 1, 2, 1, 2, 3, 3]) writer.commit(batchOf(number, stable, editor))
    const database = connect(file)
    const count = (sql: string) => database.prepare(sql).pluck().get()
    expect(count('SELECT count(*) FROM check_ins')).toBe(3)
    expect(count('SELECT count(*) FROM devices')).toBe(3)
    expect(count('SELECT devices FROM adoption')).toBe(3)
    expect(count('SELECT devices FROM hourly_adoption')).toBe(3)
    expect(count('SELECT count(*) FROM profile_changes')).toBe(3)
    expect(count('SELECT devices FROM presence')).toBe(3)
    expect(count('SELECT check_ins FROM traffic')).toBe(3)
    expect(count('SELECT batch FROM telemetry_state')).toBe(3)
  })

  test('goes on with another thread after the first one died', async () => {
    const { file, stable, editor } = await makeFleetFile()
    const store = SqliteFleetStore.open(file)
    onTestFinished(() => store.close())
    await store.commit(batchOf(1, stable, editor))
    // A request that the thread cannot even read ends it.
    const poison = { ...batchOf(2, stable, editor), checkIns: null as unknown as Float64Array }
    await expect(store.commit(poison)).rejects.toThrow()
    await store.commit(batchOf(2, stable, editor))
    expect(await store.state()).toMatchObject({ batch: 2 })
  })
})
