import { expect, onTestFinished, test } from 'vitest'
import { ProfileClaim } from '../../../../src/server/fleet/profile-claim.ts'
import { dayOf } from '../../../../src/server/fleet/time.ts'
import { reclaim } from '../../../../src/server/fleet/upkeep/jobs.ts'
import { examine } from '../../../../src/server/storage/sqlite/backup/doctor.ts'
import {
  type FleetDatabase,
  openFleetDatabase,
} from '../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { openFleetInMemory } from '../../../../src/server/storage/sqlite/fleet/fleet-in-memory.ts'
import { makeFleetFile } from '../../../support/builders/fleet-file.ts'
import { DAY } from '../../../support/builders/time.ts'
import { eventually } from '../../../support/eventually.ts'
import { connect } from '../../../support/servers/database.ts'

const START = Date.UTC(2026, 2, 14, 9)
const KEEP_DAYS = 30

test('unused profiles are counted as other once their check-ins are deleted', async () => {
  const keys = await makeFleetFile()
  let now = START
  const failures: unknown[] = []
  const open = async () => {
    const store = openFleetDatabase(keys.file)
    const onFailure = (error: unknown) => failures.push(error)
    const fleet = await openFleetInMemory(store, { onFailure, clock: () => now, combinations: 4 })
    let closed: Promise<void> | undefined
    const close = () => (closed ??= fleet.stop().then(() => store.close()))
    onTestFinished(close)
    const seen = (deviceId: string, version: string, namedBy: 'caller' | 'release') => {
      const profile = new ProfileClaim(keys.stable, version, 'linux', 'x86_64', namedBy)
      const common = { source: 'check', reason: 'up_to_date' } as const
      fleet.recorder.record({ appKey: keys.editor, deviceId, profile, at: now, ...common })
    }
    const round = async () => {
      const done = Promise.withResolvers<void>()
      const retireProfiles = (before: number, after: number) => {
        const retired = fleet.retireProfiles(before, after)
        done.resolve()
        return retired
      }
      const onFailure = (error: unknown) => failures.push(error)
      const job = reclaim({ retireProfiles }, { keepDays: KEEP_DAYS, clock: () => now, onFailure })
      job.start()
      await done.promise
      await job.stop()
      await fleet.writer.settled()
    }
    return { fleet, store, close, seen, round }
  }
  const before = await open()
  // One stays on an invented version, one leaves it, one was on two.
  before.seen('stays', '9.0.0', 'caller')
  before.seen('leaves', '9.1.0', 'caller')
  before.seen('was', '9.2.0', 'caller')
  before.seen('was', '9.3.0', 'caller')
  before.seen('over', '9.4.0', 'caller')
  now += DAY
  for (const device of ['leaves', 'was']) before.seen(device, '1.0.0', 'release')
  await before.round()
  await before.close()
  const database = connect(keys.file)
  const versions = database.prepare('SELECT version FROM profiles ORDER BY id').pluck()
  const invented = ['9.0.0', '9.1.0', '9.2.0', '9.3.0']
  expect(versions.all()).toEqual([...invented, '*', '1.0.0'])
  const adoption = async (store: FleetDatabase) => {
    const day = dayOf(START)
    const cells = await store.adoption(keys.editor, day, day + 1)
    return Object.fromEntries(cells.map((cell) => [`${cell.version} ${cell.day}`, cell.devices]))
  }

  // Each is kept for as long as check-ins of the day on which it was left.
  now = START + (KEEP_DAYS + 2) * DAY
  const after = await open()
  await after.round()
  expect(versions.all()).toEqual(['9.0.0', '9.1.0', '9.3.0', '*', '1.0.0'])
  now += DAY
  after.seen('stays', '9.0.0', 'caller')
  await eventually(async () => {
    await after.round()
    expect(versions.all()).toEqual(['9.0.0', '*', '1.0.0'])
  })
  expect(await adoption(after.store)).toEqual({
    '9.0.0 2026-03-14': 1,
    '* 2026-03-14': 3,
    '1.0.0 2026-03-15': 2,
  })
  const counted = await after.store.presence(keys.editor, dayOf(now))
  const all = counted.map(({ version, devices }) => [version, devices])
  expect(all.sort()).toEqual([
    ['*', 1],
    ['1.0.0', 2],
    ['9.0.0', 1],
  ])
  // There is room again.
  after.seen('new', '9.9.0', 'caller')
  expect(after.fleet.memory.profileOf(keys.editor, 'new')).toMatchObject({ version: '9.9.0' })
  await after.close()
  expect(examine(keys.folder).findings).toEqual([])
  expect(failures).toEqual([])
})
