import { expect, onTestFinished, test } from 'vitest'
import { dataFile, openDatabase } from '../../src/server/storage/sqlite/database.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { makeLargeFleet } from '../support/builders/large-fleet.ts'
import {
  LARGE_APP,
  largeDeviceId,
  largeLastSeen,
  largeProfile,
  seenAfter,
} from '../support/builders/large-fleet-plan.ts'
import { callerOf } from '../support/servers/console.ts'
import { startServer } from '../support/servers/server.ts'

const DEVICES = 3_000

test('a large fleet is what its plan says, and its counters are those of its devices', async () => {
  const dataFolder = temporaryFolder()
  const fleet = { devices: DEVICES, end: Date.now() }
  await makeLargeFleet(dataFolder, { ...fleet, checkIns: 6_480_000, auditEntries: 100 })
  // The clock stands still: the charts end in the hour in which the fleet does.
  const server = await startServer({ dataFolder }, undefined, { clock: () => fleet.end })
  const database = openDatabase(dataFile(dataFolder), { readonly: true })
  onTestFinished(() => {
    database.close()
  })
  const console = callerOf(server)
  const page = await console.devices.list({ app: LARGE_APP })
  expect(page.total).toBe(DEVICES)
  const byLastSeen = Array.from({ length: DEVICES }, (_, at) => at + 1).sort(
    (one, other) => seenAfter(one, fleet) - seenAfter(other, fleet),
  )
  expect(page.devices).toMatchObject(
    byLastSeen.slice(0, 50).map((device) => {
      const { id: _, ...runs } = largeProfile(device)
      const lastSeen = new Date(largeLastSeen(device, fleet)).toISOString()
      return { deviceId: largeDeviceId(device), lastSeen, ...runs }
    }),
  )
  const place = { app: LARGE_APP, deviceId: largeDeviceId(7) }
  expect((await console.devices.checkIns(place)).checkIns).toHaveLength(20)
  expect((await console.devices.get(place)).history).toHaveLength(1)
  const { traffic } = await console.fleet.dashboard({ app: LARGE_APP, range: '24h' })
  expect(traffic.checkIns).toEqual(new Array(24).fill(3_000))
  await server.fleet.settled()
  const cells = (sql: string) => database.prepare(sql).raw().all()
  expect(cells('SELECT profile, day, devices FROM presence ORDER BY 1, 2')).toEqual(
    cells(`SELECT profile, last_seen / 86400000, count(*) FROM device_states
      GROUP BY 1, 2 ORDER BY 1, 2`),
  )
})
