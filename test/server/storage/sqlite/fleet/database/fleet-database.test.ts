import { copyFileSync, renameSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { TelemetryBatch } from '../../../../../../src/server/storage/shared/batch.ts'
import { openFleetDatabase } from '../../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { FleetWriter } from '../../../../../../src/server/storage/sqlite/fleet/database/fleet-writer.ts'
import { MAX_SET_ASIDE } from '../../../../../../src/server/storage/sqlite/fleet/database/set-aside.ts'
import {
  startThread,
  type Thread,
} from '../../../../../../src/server/storage/sqlite/threads/start-thread.ts'
import type { ThreadTask } from '../../../../../../src/server/storage/sqlite/threads/thread-protocol.ts'
import { makeFleetFile } from '../../../../../support/builders/fleet-file.ts'
import { setting } from '../../../../../support/builders/labels.ts'
import { connect } from '../../../../../support/servers/database.ts'
import { fleetDatabaseContract } from './fleet-database.contract.ts'

fleetDatabaseContract('a fleet in SQLite', async () => {
  const { file, editor, player, stable, beta } = await makeFleetFile()
  let store = openFleetDatabase(file)
  const reopen = async () => {
    await store.close()
    store = openFleetDatabase(file)
    return store
  }
  const close = () => store.close()
  return { store, reopen, app: editor, otherApp: player, stable, beta, close }
})

function batchOf(number: number, stable: number, appKey: number): TelemetryBatch {
  const at = Date.UTC(2026, 2, 14)
  const numbers = { id: number, lastCheckIn: number, lastChange: number }
  const common = { ...numbers, profile: 1, firstSeen: at, lastSeen: at, evidence: 0 }
  const none = new Float64Array()
  const running = { version: '1.0.0', platform: 'linux', arch: 'x64' }
  const known = { appKey, namedBy: 1, lastDay: 20_526 } as const
  const profile = { id: 1, channelKey: stable, ...running, ...known }
  return {
    ...{ number, profiles: number === 1 ? [profile] : [], lost: 0, rowsThrough: 0 },
    newDevices: [
      { ...common, keyed: false, episode: 0, offeredAt: 0, appKey, deviceId: `device-${number}` },
    ],
    checkIns: Float64Array.of(number, number, at, 1, 3, 0),
    changes: Float64Array.of(number, number, at, 1, 0),
    adoption: Float64Array.of(1, 20_526, 1),
    hourly: Float64Array.of(1, 492_624, 1),
    presence: Float64Array.of(1, 20_526, 1),
    traffic: Float64Array.of(stable, 492_624, 1, 0, 0),
    labels: [[number, setting({ ring: 'beta' })]],
    ...{ deviceRows: none, profileRows: none, retired: none, gone: none, erased: [] },
    ...{ releases: [], health: none, details: [] },
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

  test('sets aside what violates a constraint, and stores the rest', async () => {
    const { file, stable, editor } = await makeFleetFile()
    const writer = new FleetWriter(connect(file))
    const database = connect(file)
    const count = (sql: string) => database.prepare(sql).pluck().get()
    writer.commit(batchOf(1, stable, editor))
    database.exec(`CREATE TRIGGER broken BEFORE INSERT ON check_ins WHEN NEW.id = 2
      BEGIN SELECT RAISE(ABORT, 'broken'); END`)
    const [device] = batchOf(2, stable, editor).newDevices
    if (device === undefined) throw new Error('a batch has a device')
    // Device 3 would be a second one of that name.
    const twin = { ...device, id: 3, deviceId: 'device-1' }
    const spoilt = {
      ...batchOf(2, stable, editor),
      newDevices: [device, twin],
      lost: 5,
    }
    expect(() => writer.commit(spoilt)).toThrow('broken')
    expect(count('SELECT batch FROM telemetry_state')).toBe(1)
    expect(writer.salvage(spoilt)).toBe(2)
    expect(count('SELECT batch FROM telemetry_state')).toBe(2)
    // Nothing is done twice.
    expect(writer.salvage(spoilt)).toBe(0)
    expect(count('SELECT devices FROM adoption')).toBe(2)
    expect(count('SELECT group_concat(device_id) FROM devices')).toBe('device-1,device-2')
    expect(count('SELECT count(*) FROM check_ins')).toBe(1)
    expect(database.prepare('SELECT lost, last_device FROM telemetry_state').raw().get()).toEqual([
      7, 3,
    ])
    const aside = database
      .prepare('SELECT batch, statement, row, reason FROM set_aside')
      .raw()
      .all()
    expect(aside).toEqual([
      [2, 'insertCheckIn', expect.stringMatching(/^\[2,2,/), 'broken'],
      // Who it was is not kept.
      [
        2,
        'insertDevice',
        expect.stringContaining('"8 characters"'),
        expect.stringMatching(/^UNIQUE/),
      ],
      [2, 'insertState', expect.stringMatching(/^\[3,/), expect.stringMatching(/^FOREIGN KEY/)],
    ])
    database.exec('DROP TRIGGER broken')
    writer.commit(batchOf(3, stable, editor))
    expect(count('SELECT count(*) FROM check_ins')).toBe(2)
  })

  test('keeps a bounded number of rows that were set aside', async () => {
    const { file, stable, editor } = await makeFleetFile()
    const writer = new FleetWriter(connect(file))
    const database = connect(file)
    database.exec(
      "CREATE TRIGGER broken BEFORE INSERT ON check_ins BEGIN SELECT RAISE(ABORT, 'broken'); END",
    )
    const rows = Array.from({ length: MAX_SET_ASIDE + 7 }, (_, at) => [at + 1, 0, 1, 1, 3, 0])
    const batch = { ...batchOf(1, stable, editor), checkIns: Float64Array.from(rows.flat()) }
    expect(writer.salvage(batch)).toBe(MAX_SET_ASIDE + 7)
    const kept = database.prepare('SELECT count(*), max(id) FROM set_aside').raw().get()
    expect(kept).toEqual([MAX_SET_ASIDE, MAX_SET_ASIDE + 7])
  })

  test('counts retired profiles as other', async () => {
    const { file, stable, editor } = await makeFleetFile()
    const writer = new FleetWriter(connect(file))
    const database = connect(file)
    const table = (name: string) => database.prepare(`SELECT * FROM ${name}`).raw().all()
    const [profile] = batchOf(1, stable, editor).profiles
    if (profile === undefined) throw new Error('the first batch has a profile')
    const other = { ...profile, id: 2, version: '*', platform: '*', arch: '*' }
    const idle = { ...profile, id: 3, version: '9.0.0', namedBy: 0 } as const
    const none = new Float64Array()
    const counted = {
      adoption: Float64Array.of(3, 100, 4, 3, 101, 1, 2, 101, 2),
      hourly: Float64Array.of(3, 2_400, 4),
      presence: Float64Array.of(3, 100, 1, 3, 100, -1),
    }
    const quiet = { newDevices: [], checkIns: none, changes: none, traffic: none, labels: [] }
    const first = { ...batchOf(1, stable, editor), ...quiet, ...counted }
    writer.commit({ ...first, profiles: [profile, other, idle] })
    const retiring = {
      ...batchOf(2, stable, editor),
      ...{ ...quiet, adoption: none, hourly: none, presence: none },
      // One that says the same comes back in the same moment.
      ...{ retired: Float64Array.of(3, 2), profiles: [{ ...idle, id: 4 }] },
    }
    writer.commit(retiring)
    writer.commit(retiring)
    expect(table('adoption')).toEqual([
      [2, 100, 4],
      [2, 101, 3],
    ])
    expect([table('hourly_adoption'), table('presence')]).toEqual([[[2, 2_400, 4]], []])
    expect(table('profiles').map((row) => (row as unknown[])[0])).toEqual([1, 2, 4])
    const state = database.prepare('SELECT last_profile FROM telemetry_state').pluck()
    expect(state.get()).toBe(3)
    expect(database.pragma('foreign_key_check')).toEqual([])
  })

  /** A fleet with one batch, and a way to end its threads. */
  async function openMortal() {
    const { file, stable, editor } = await makeFleetFile()
    const threads: Thread[] = []
    const start = (task: ThreadTask) => {
      const thread = startThread(task)
      threads.push(thread)
      return thread
    }
    const store = openFleetDatabase(file, { start })
    onTestFinished(() => store.close())
    await store.commit(batchOf(1, stable, editor))
    const endThreads = () => Promise.all(threads.map((thread) => thread.terminate()))
    return { store, file, endThreads, next: () => batchOf(2, stable, editor) }
  }

  test('goes on with another thread after the first one died', async () => {
    const { store, endThreads, next } = await openMortal()
    await endThreads()
    await store.commit(next())
    expect(await store.state()).toMatchObject({ batch: 2 })
  })

  test('no thread writes to another file in the place of the first, also a later one', async () => {
    const { store, file, endThreads, next } = await openMortal()
    copyFileSync(file, `${file}.copy`)
    renameSync(`${file}.copy`, file)
    await endThreads()
    await expect(store.commit(next())).rejects.toMatchObject({
      problem: { code: 'unwritable', circumstance: { kind: 'replaced' } },
    })
  })
})
