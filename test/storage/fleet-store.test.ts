import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { TelemetryBatch } from '../../src/server/fleet/store.ts'
import { SqliteFleetStore } from '../../src/server/storage/fleet-store.ts'
import { FleetWriter } from '../../src/server/storage/fleet-writer.ts'
import { connect, DAY, makeFleetFile } from '../fleet/helpers.ts'
import { startServer, startWithApp } from '../support/server.ts'
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
  const said = { ...numbers, profile: 1, firstSeen: at, lastSeen: at }
  const none = new Float64Array()
  const profile = { id: 1, channelKey: stable, version: '1.0.0', platform: 'linux', arch: 'x64' }
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
    deviceRows: none,
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

describe('retention', () => {
  test('check-ins older than the days kept are deleted at the start, counters stay', async () => {
    const first = await startWithApp()
    for (const device of ['old', 'new']) {
      const headers = { 'x-service-device': device }
      await first.call('GET', '/u/editor/stable/linux/x86_64/1.0.0', { key: null, headers })
    }
    await first.stop()

    const database = connect(`${first.folder}/tidegate.db`)
    const [rows, counters] = [
      database.prepare('SELECT count(*) FROM check_ins').pluck(),
      database.prepare('SELECT sum(devices) FROM adoption').pluck(),
    ]
    const count = 2_500
    const [longAgo, ahead] = [Date.now() - 40 * DAY, Date.now() + 400 * DAY]
    database.transaction(() => {
      database.prepare('UPDATE check_ins SET at = ?').run(ahead)
      const insert = database.prepare('INSERT INTO check_ins VALUES (?, 1, ?, 1, 3, 0)')
      for (let id = 101; id <= 100 + 3 * count; id++) {
        // A wrong clock, then weeks of nothing, then the last days.
        const at = id <= 100 + count ? ahead : id <= 100 + 2 * count ? longAgo : Date.now() - DAY
        insert.run(id, at)
      }
      const last = 100 + 3 * count
      database
        .prepare('UPDATE telemetry_state SET last_check_in = ?, rows_through = ?')
        .run(last, last)
    })()
    const counted = counters.get()

    await startServer({ dataFolder: first.folder, keepCheckInDays: 30 })
    await vi.waitFor(() => expect(rows.get()).toBe(2 + 2 * count), { timeout: 10_000 })
    const oldest = database.prepare('SELECT min(at) FROM check_ins').pluck().get()
    expect(oldest).toBeGreaterThan(longAgo)
    expect(counters.get()).toBe(counted)
  })

  test('0 days keep check-ins for ever', async () => {
    const first = await startWithApp()
    await first.call('GET', '/u/editor/stable/linux/x86_64/1.0.0', { key: null })
    await first.stop()
    const database = connect(`${first.folder}/tidegate.db`)
    database.exec('UPDATE check_ins SET at = 0; UPDATE telemetry_state SET rows_through = 1')
    const second = await startServer({ dataFolder: first.folder, keepCheckInDays: 0 })
    await second.call('GET', '/u/editor/stable/linux/x86_64/1.0.0', { key: null })
    await second.fleet.settled()
    await second.stop()
    expect(database.prepare('SELECT count(*) FROM check_ins').pluck().get()).toBe(2)
  })
})
