import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ProfileClaim } from '../../../../../../src/server/fleet/profile-claim.ts'
import { historyIssues } from '../../../../../../src/server/storage/sqlite/backup/doctor.ts'
import { openFleetDatabase } from '../../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { openFleetInMemory } from '../../../../../../src/server/storage/sqlite/fleet/fleet-in-memory.ts'
import { type FleetFile, makeFleetFile } from '../../../../../support/builders/fleet-file.ts'
import { setting } from '../../../../../support/builders/labels.ts'
import { DAY } from '../../../../../support/builders/time.ts'
import { recountedCounters, storedCounters } from '../../../../../support/check-in-log/counters.ts'
import { connect } from '../../../../../support/servers/database.ts'

const START = Date.UTC(2026, 2, 14, 23, 40)

/** A fleet on a file that can be ended as a stop or as a crash ends it. */
async function open(keys: FleetFile, clock: () => number) {
  const store = openFleetDatabase(keys.file)
  const failures: unknown[] = []
  const fleet = await openFleetInMemory(store, {
    onFailure: (error) => failures.push(error),
    clock,
  })
  let ended: Promise<void> | undefined
  const end = (how: 'stop' | 'crash') =>
    (ended ??= (how === 'stop' ? fleet.stop() : Promise.resolve()).then(() => store.close()))
  onTestFinished(() => end('crash'))
  const record = (deviceId: string, version = '1.0.0', source: 'check' | 'report' = 'check') => {
    const profile = new ProfileClaim(keys.stable, version, 'linux', 'x86_64')
    const labels = setting({ version })
    const said = { appKey: keys.editor, deviceId, profile, at: clock(), source, reason: null }
    fleet.recorder.record(said, labels)
  }
  const erase = (deviceId: string) => fleet.forgotten.erase({ appKey: keys.editor, deviceId })
  return { fleet, store, failures, record, erase, end }
}

function livingPresence(database: ReturnType<typeof connect>) {
  const cells = database.prepare<[], [string, number]>(
    `SELECT profile || ' on day ' || day, count(*) FROM (
      SELECT profile, at / ${DAY} AS day, max(check_ins.id) FROM check_ins
        JOIN devices ON devices.id = device GROUP BY device
    ) GROUP BY profile, day`,
  )
  return Object.fromEntries(cells.raw().all())
}

describe('a forgotten device', () => {
  test('leaves nothing partial after any end of the server', async () => {
    const step = fc.record({
      device: fc.constantFrom('a', 'b', 'c'),
      what: fc.constantFrom('record', 'record', 'record', 'erase'),
      version: fc.constantFrom('1.0.0', '1.1.0'),
      after: fc.constantFrom('go on', 'go on', 'go on', 'commit', 'stop', 'crash'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
        const keys = await makeFleetFile()
        let now = START
        const clock = () => (now += 60_000)
        let opened = await open(keys, clock)
        for (const { device, what, version, after } of steps) {
          if (what === 'erase') opened.erase(device)
          else opened.record(device, version)
          if (after === 'go on') continue
          await opened.fleet.writer.settled()
          if (after === 'commit') continue
          await opened.end(after === 'stop' ? 'stop' : 'crash')
          opened = await open(keys, clock)
        }
        await opened.fleet.writer.settled()
        const database = connect(keys.file)
        const stored = database.prepare('SELECT device_id FROM devices').pluck().all()
        for (const device of ['a', 'b', 'c']) {
          const known = opened.fleet.memory.known(keys.editor, device)
          expect(known !== undefined).toBe(stored.includes(device))
          const [labels] = await opened.fleet.labels.of(keys.editor, [device])
          expect(labels).toEqual(known === undefined ? {} : { version: known.profile.version })
        }
        expect(storedCounters(database).presence).toEqual(livingPresence(database))
        expect(storedCounters(database).adoption).toEqual(recountedCounters(database).adoption)
        expect(historyIssues(database)).toEqual([])
        expect(opened.failures).toEqual([])
        await opened.end('stop')
        database.close()
      }),
      { numRuns: 8 },
    )
  })

  test('comes back as a new one', async () => {
    const keys = await makeFleetFile()
    let now = START
    const { fleet, store, record, erase, failures } = await open(keys, () => now)
    record('one', '1.0.0')
    record('one', '1.1.0')
    await fleet.writer.settled()
    now += DAY
    expect(erase('one')).toBe(true)
    expect(fleet.memory.known(keys.editor, 'one')).toBeUndefined()
    record('one', '1.2.0')
    await fleet.writer.settled()
    const device = fleet.memory.known(keys.editor, 'one')?.device
    expect(await store.device(keys.editor, 'one')).toMatchObject({
      firstSeen: now,
      labels: { version: '1.2.0' },
    })
    const database = connect(keys.file)
    const changes = database.prepare('SELECT previous, device FROM profile_changes').raw().all()
    expect(changes).toEqual([[0, device]])
    // What it did before is nobody's now.
    const log = database.prepare('SELECT count(*) FROM check_ins WHERE device <> ?').pluck()
    expect(log.get(device)).toBe(2)
    expect(failures).toEqual([])
  })

  test('is deleted with its pending data', async () => {
    const keys = await makeFleetFile()
    const { fleet, record, erase } = await open(keys, () => START)
    record('one')
    erase('one')
    record('two')
    await fleet.writer.settled()
    const database = connect(keys.file)
    expect(database.prepare('SELECT device_id FROM devices').pluck().all()).toEqual(['two'])
    expect(historyIssues(database)).toEqual([])
    expect(Object.values(storedCounters(database).presence)).toEqual([1])
  })
})

test('a change of version keeps the newest hundred, however often a device alternates', async () => {
  const keys = await makeFleetFile()
  const { fleet, store, record, end } = await open(keys, () => START)
  const database = connect(keys.file)
  const count = database.prepare<[], number>('SELECT count(*) FROM profile_changes').pluck()
  let most = 0
  for (let round = 0; round < 20; round++) {
    for (let check = 0; check < 30; check++) record('one', check % 2 === 0 ? '1.0.0' : '1.1.0')
    await fleet.writer.settled()
    most = Math.max(most, count.get() ?? 0)
  }
  expect(most).toBeLessThanOrEqual(125)
  const known = fleet.memory.known(keys.editor, 'one')
  const read = () => store.read('deviceChanges', known?.device ?? 0, known?.lastChange ?? 0, 1_000)
  const kept = await read()
  expect(kept.length).toBeGreaterThanOrEqual(100)
  expect(kept.at(-1)?.previous).toBe(0)
  expect(kept).toHaveLength(count.get() ?? 0)
  await end('stop')
  expect(historyIssues(database)).toEqual([])
})
