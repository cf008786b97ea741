import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ProfileClaim } from '../../../../../../src/server/fleet/profile-claim.ts'
import { CHANGE_WIDTH } from '../../../../../../src/server/storage/shared/batch.ts'
import {
  ChangeQueue,
  MAX_CHANGES,
} from '../../../../../../src/server/storage/shared/ingest/change-queue.ts'
import { SharedDevices } from '../../../../../../src/server/storage/shared/memory/shared-devices.ts'
import { openFleetDatabase } from '../../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { openFleetInMemory } from '../../../../../../src/server/storage/sqlite/fleet/fleet-in-memory.ts'
import { type FleetFile, makeFleetFile } from '../../../../../support/builders/fleet-file.ts'
import { recountedHistory, storedHistory } from '../../../../../support/check-in-log/history.ts'
import { connect } from '../../../../../support/servers/database.ts'

const MINUTE = 60_000

/** A fleet on a file that can be ended as a stop or as a crash ends it. */
async function open(keys: FleetFile, clock: () => number) {
  const store = openFleetDatabase(keys.file)
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const fleet = await openFleetInMemory(store, { onFailure, clock })
  let ended: Promise<void> | undefined
  const end = (how: 'stop' | 'crash') =>
    (ended ??= (how === 'stop' ? fleet.stop() : Promise.resolve()).then(() => store.close()))
  onTestFinished(() => end('crash'))
  const record = (deviceId: string | null, version: string, channel = keys.stable) => {
    const profile = new ProfileClaim(channel, version, 'linux', 'x86_64')
    const common = { profile, at: clock(), source: 'check', reason: 'up_to_date' } as const
    fleet.recorder.record({ appKey: keys.editor, deviceId, ...common })
  }
  return { fleet, record, end, store }
}

function stopwatch() {
  let now = Date.UTC(2026, 2, 14, 23, 40)
  return () => (now += MINUTE)
}

describe('the way of a device', () => {
  test('equals a recount of the log after any end of the server', async () => {
    const step = fc.record({
      device: fc.constantFrom('a', 'b', 'c', null),
      version: fc.constantFrom('1.0.0', '1.1.0', '2.0.0'),
      channel: fc.constantFrom('stable', 'beta'),
      after: fc.constantFrom('go on', 'go on', 'commit', 'stop', 'crash'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        const keys = await makeFleetFile()
        const clock = stopwatch()
        let opened = await open(keys, clock)
        for (const { device, version, channel, after } of steps) {
          opened.record(device, version, channel === 'beta' ? keys.beta : keys.stable)
          if (after === 'go on') continue
          await opened.fleet.writer.settled()
          if (after === 'commit') continue
          await opened.end(after === 'stop' ? 'stop' : 'crash')
          opened = await open(keys, clock)
        }
        await opened.fleet.writer.settled()
        const devices = new SharedDevices(opened.fleet.memory.table.share())
        const database = connect(keys.file)
        const expected = recountedHistory(database)
        expect(storedHistory(database)).toEqual(expected)
        expect(expected.previous).toHaveLength(steps.length)
        const newest = database
          .prepare<[], [number, number]>(
            'SELECT device, max(id) FROM check_ins WHERE device <> 0 GROUP BY device',
          )
          .raw()
        for (const [device, id] of newest.all()) {
          const changes = expected.changes.filter((change) => change[1] === device)
          expect(devices.lastCheckIn(device)).toBe(id)
          expect(devices.lastChange(device)).toBe(changes.at(-1)?.[0])
        }
        await opened.end('stop')
      }),
      { numRuns: 6 },
    )
  })

  test('begins with the next check-in of a device that came before changes were kept', async () => {
    const keys = await makeFleetFile()
    const clock = stopwatch()
    const before = await open(keys, clock)
    before.record('old', '1.0.0')
    before.record('old', '1.1.0')
    await before.end('stop')
    const database = connect(keys.file)
    database.exec(`DELETE FROM profile_changes; UPDATE check_ins SET previous = 0;
      UPDATE device_states SET last_check_in = 0, last_change = 0`)
    const after = await open(keys, clock)
    for (const version of ['1.1.0', '1.1.0', '1.2.0']) after.record('old', version)
    await after.end('stop')
    const { previous, changes } = storedHistory(database)
    expect(changes.map(([id, device, , , older]) => [id, device, older])).toEqual([
      [3, 1, 0],
      [5, 1, 3],
    ])
    expect(previous.slice(2)).toEqual([
      [3, 0],
      [4, 3],
      [5, 4],
    ])
  })

  test('a restart in the midst of a round of rows goes on with the newest numbers', async () => {
    const keys = await makeFleetFile()
    const clock = stopwatch()
    const first = await open(keys, clock)
    const names = Array.from({ length: 900 }, (_, at) => `device-${at}`)
    for (const name of names) first.record(name, '1.0.0')
    await first.fleet.writer.settled()
    // A round writes 500 rows, and leaves the others to the log.
    for (const name of names) first.record(name, '1.1.0')
    await first.fleet.writer.settled()
    await first.end('crash')
    const database = connect(keys.file)
    const rows = (sql: string) => database.prepare(sql).pluck().get()
    expect(rows('SELECT count(*) FROM device_states WHERE last_check_in > 900')).toBe(500)
    expect(rows('SELECT rows_through FROM telemetry_state')).toBeLessThan(1_800)
    const again = await open(keys, clock)
    for (const name of names) again.record(name, '1.2.0')
    await again.end('stop')
    expect(storedHistory(database)).toEqual(recountedHistory(database))
    expect(rows('SELECT min(last_change) FROM device_states')).toBe(1_801)
  })

  test('does not return to an older state of a device whose latest check-in was lost', async () => {
    const keys = await makeFleetFile()
    const clock = stopwatch()
    const first = await open(keys, clock)
    for (const version of ['1.0.0', '1.1.0']) first.record('one', version)
    await first.end('stop')
    // As when the queue overflows: the row was written, its check-in never was.
    connect(keys.file).exec(
      'DELETE FROM check_ins WHERE id = 2; UPDATE telemetry_state SET rows_through = 0',
    )
    const { fleet, end } = await open(keys, clock)
    const devices = new SharedDevices(fleet.memory.table.share())
    expect([devices.lastCheckIn(1), devices.lastChange(1)]).toEqual([2, 2])
    expect(fleet.memory.profileOf(keys.editor, 'one')?.version).toBe('1.1.0')
    await end('stop')
  })

  test('goes with the device when its channel is removed, however its rows lag', async () => {
    const keys = await makeFleetFile()
    const { fleet, record, store } = await open(keys, stopwatch())
    for (const version of ['1.0.0', '1.1.0']) {
      for (const device of ['goes', 'moves', 'stays']) record(device, version, keys.beta)
      await fleet.writer.settled()
    }
    record('moves', '1.1.0', keys.stable)
    record('stays', '1.1.0', keys.stable)
    record('goes', '1.2.0', keys.beta)
    await fleet.writer.settled()
    const entry = {
      ...{ at: '', actor: { kind: 'console' as const, name: 'test' }, app: 'editor' },
      ...{ action: 'channel.removed' as const, channel: 'beta', version: null },
      ...{ before: {}, after: {} },
    }
    const removal = { appKey: keys.editor, channelKeys: [keys.beta], wholeApp: false, entry }
    const deleteDevices = (devices: Int32Array) => store.removeDevices(devices)
    const commit = async (devices: Int32Array) => {
      return (await store.remove(removal, devices)) === 'removed'
    }
    expect(await fleet.removals.run([keys.beta], { deleteDevices, commit })).toBe(true)
    const database = connect(keys.file)
    const { changes, wrong } = storedHistory(database)
    const goes = database.prepare('SELECT id FROM devices WHERE device_id = ?').pluck()
    expect(goes.get('goes')).toBeUndefined()
    expect(wrong).toEqual([])
    expect(changes.map(([id, device, , , previous]) => [id, device, previous])).toEqual([
      [2, 2, 0],
      [3, 3, 0],
      [5, 2, 2],
      [6, 3, 3],
      [7, 2, 5],
      [8, 3, 6],
    ])
    const hours = database.prepare(
      'SELECT count(*) FROM hourly_adoption WHERE profile NOT IN (SELECT id FROM profiles)',
    )
    expect(hours.pluck().get()).toBe(0)
  })
})

test('the queue of changes rejects changes while it is full, and accepts them after it was taken', () => {
  const queue = new ChangeQueue()
  for (let id = 1; id <= MAX_CHANGES; id++) {
    if (!queue.push(id, 7, 1, 1, id - 1)) throw new Error(`${id} was refused`)
  }
  expect(queue.push(MAX_CHANGES + 1, 7, 1, 1, MAX_CHANGES)).toBe(false)
  const taken = queue.take()
  expect(taken.length).toBe(MAX_CHANGES * CHANGE_WIDTH)
  expect([...taken.slice(-CHANGE_WIDTH)]).toEqual([MAX_CHANGES, 7, 1, 1, MAX_CHANGES - 1])
  expect(queue.push(1, 7, 1, 1, 0)).toBe(true)
  expect([...queue.take()]).toEqual([1, 7, 1, 1, 0])
})
