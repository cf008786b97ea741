import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../../../../src/server/storage/open-storage.ts'
import { makeFleetFile } from '../../../../support/builders/fleet-file.ts'
import { checkIn, START } from './open-fleet.ts'

const DAY = 86_400_000

/** Counts the threads that are started until the end of the test. */
function countThreads(): { started: number } {
  const threads = { started: 0 }
  const count = () => {
    threads.started++
  }
  subscribe('worker_threads', count)
  onTestFinished(() => {
    unsubscribe('worker_threads', count)
  })
  return threads
}

test('a fleet without devices has its upkeep done without a thread, and with one it has threads', async () => {
  const threads = countThreads()
  const keys = await makeFleetFile()
  const storage = await openStorage({ dataFolder: keys.folder })
  const clock = { now: START }
  const fleet = await storage.openFleet({
    onFailure: (error) => expect.fail(String(error)),
    clock: () => clock.now,
  })
  onTestFinished(async () => {
    await fleet.stop()
    await storage.close()
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
  expect(threads.started).toBe(0)

  await fleet.commit({ checkIns: [checkIn(keys)], reports: [], labelDeltas: [] })
  expect(threads.started).toBe(1)
  clock.now += 40 * DAY
  expect(await keepUp()).toEqual({ deleted: 1, erasures: [] })
  expect(threads.started).toBe(2)
})
