import { expect, onTestFinished, test } from 'vitest'
import { FleetDatabase } from '../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { SqliteFleet } from '../../../../../src/server/storage/sqlite/fleet/sqlite-fleet.ts'
import { startThread } from '../../../../../src/server/storage/sqlite/threads/start-thread.ts'
import type {
  ThreadRole,
  ThreadTask,
} from '../../../../../src/server/storage/sqlite/threads/thread-protocol.ts'
import { makeFleetFile } from '../../../../support/builders/fleet-file.ts'
import { checkIn, START } from './open-fleet.ts'

const DAY = 86_400_000

test('a fleet without devices has its upkeep done without a thread, and with one it has threads', async () => {
  const keys = await makeFleetFile()
  const started: ThreadRole[] = []
  const start = (task: ThreadTask) => {
    started.push(task.role)
    return startThread(task)
  }
  const database = FleetDatabase.open(keys.file, { start })
  const clock = { now: START }
  const fleet = await SqliteFleet.open(database, {
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
  expect(started).toEqual(['telemetry', 'reader'])
})
