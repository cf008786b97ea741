import { describe, expect, test } from 'vitest'
import type { CheckIn } from '../../../../../src/server/fleet/check-in.ts'
import { isOfDevices } from '../../../../../src/server/fleet/health/cells.ts'
import { ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import { eraseStored } from '../../../../../src/server/storage/sqlite/fleet/database/erasure.ts'
import { type FleetFile, makeFleetFile } from '../../../../support/builders/fleet-file.ts'
import { HOUR } from '../../../../support/builders/time.ts'
import {
  recountedDeviceCells,
  storedReleaseCells,
} from '../../../../support/check-in-log/release-cells.ts'
import { connect } from '../../../../support/servers/database.ts'
import { Clock, openFile } from './open-fleet.ts'

/** What a device is in the middle of when it is seen for the last time. */
const EPISODES = ['waiting', 'stuck', 'reported', 'reverted', 'adopted'] as const

/** A device in each episode, of which none is seen again, beside one that keeps checking in. */
async function fill(
  keys: FleetFile,
  clock: Clock,
  { fleet }: Awaited<ReturnType<typeof openFile>>,
) {
  const release = { id: 'release-2', channelKey: keys.stable, version: '2.0.0' }
  const check = (deviceId: string, version: string, more: Partial<CheckIn> = {}) => {
    const profile = new ProfileClaim(keys.stable, version, 'linux', 'x86_64')
    const said = { appKey: keys.editor, deviceId, profile, at: clock.now, source: 'check' } as const
    fleet.recorder.record({ ...said, reason: 'up_to_date', ...more })
  }
  const offer = (deviceId: string) => {
    check(deviceId, '1.0.0', { reason: 'update', offered: release })
  }
  for (const deviceId of EPISODES) offer(deviceId)
  for (let hour = 1; hour <= 30; hour += 1) {
    clock.now += HOUR
    check('here', '2.0.0')
    if (hour % 10 === 0) offer('stuck')
    if (hour === 5) for (const deviceId of ['adopted', 'reverted']) check(deviceId, '2.0.0')
  }
  check('reverted', '1.0.0')
  const { id: releaseId, channelKey } = release
  fleet.recorder.recordOutcome({
    ...{ appKey: keys.editor, deviceId: 'reported', channelKey, releaseId, at: clock.now },
    ...{ outcome: 'failed', detail: '' },
  })
  await fleet.writer.settled()
  clock.now += 200 * HOUR
}

/** The cells that count devices as they are stored, and the same recounted from the log. */
function cellsIn({ file }: FleetFile) {
  const database = connect(file)
  const stored = Object.entries(storedReleaseCells(database)).filter(([name]) =>
    isOfDevices(Number(name.split(' ').at(-1))),
  )
  return { stored: Object.fromEntries(stored), recounted: recountedDeviceCells(database) }
}

function countOf(cells: Readonly<Record<string, number>>): number {
  return Object.values(cells).reduce((sum, devices) => sum + devices, 0)
}

describe('a device that is offline in the middle of an episode leaves the counts when it is forgotten', () => {
  test('by a running server', async () => {
    const [keys, clock] = [await makeFleetFile(), new Clock()]
    const opened = await openFile(keys, clock)
    await fill(keys, clock, opened)
    for (const [index, deviceId] of EPISODES.entries()) {
      opened.fleet.forgotten.erase({ appKey: keys.editor, deviceId })
      await opened.fleet.writer.settled()
      const { stored, recounted } = cellsIn(keys)
      expect(stored).toEqual(recounted)
      expect(countOf(stored)).toBe(EPISODES.length - index - 1)
    }
    expect(opened.failures).toEqual([])
  })

  // After a crash the rows are behind the log.
  test.each(['close', 'crash'] as const)('while no server runs, after a %s', async (end) => {
    const [keys, clock] = [await makeFleetFile(), new Clock()]
    const opened = await openFile(keys, clock)
    await fill(keys, clock, opened)
    await opened[end]()
    for (const [index, deviceId] of EPISODES.entries()) {
      eraseStored(keys.file, { appKey: keys.editor, deviceId })
      // Before a start corrects what is wrong.
      if (end === 'close') {
        const { stored, recounted } = cellsIn(keys)
        expect(stored).toEqual(recounted)
      }
      const again = await openFile(keys, clock)
      await again.fleet.writer.settled()
      const { stored, recounted } = cellsIn(keys)
      expect(stored).toEqual(recounted)
      expect(countOf(stored)).toBe(EPISODES.length - index - 1)
      expect(again.failures).toEqual([])
      await again[end]()
    }
  })
})
