// @module-tag long

import { createServer as createHttpServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import type { DemoFolder } from '../../src/demo/folder.ts'
import { Present } from '../../src/demo/present.ts'
import { Random } from '../../src/demo/random.ts'
import { requireApp, requireChannel } from '../../src/server/catalog/catalog.ts'
import { changeServing } from '../../src/server/catalog/releases/serving.ts'
import type { FleetEvent } from '../../src/server/fleet/ingest/live-feed.ts'
import { ACTOR } from '../support/builders/actor.ts'
import { makeSmallDemo } from '../support/builders/demo-folder.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { profileOf } from '../support/fleet/profile-of.ts'
import { listenLocally } from '../support/servers/listen.ts'
import { startServer } from '../support/servers/server.ts'

function startPresent(
  { devices }: Pick<DemoFolder, 'devices'>,
  address: string,
  onTrouble: (reason: string | undefined) => void = () => {},
): Present {
  const present = new Present({ address, devices, random: new Random(7), speed: 50, onTrouble })
  onTestFinished(() => present.stop())
  present.start()
  return present
}

test('devices keep checking in over HTTP, follow a raised rollout, and stop on request', async () => {
  const folder = temporaryFolder()
  const demo = await makeSmallDemo(folder)
  const server = await startServer({ dataFolder: folder })
  const place = requireChannel(requireApp(server.catalog.snapshot, 'lantern'), 'stable')
  await changeServing(server.catalog, ACTOR, place, '2.1.0', { rolloutPct: 100 })

  const events: FleetEvent[] = []
  const { promise: updated, resolve } = Promise.withResolvers<FleetEvent>()
  server.fleet.feed.subscribe((event) => {
    const before = events.find(({ deviceId }) => deviceId === event.deviceId)
    if (before !== undefined && before.version !== event.version) resolve(event)
    events.push(event)
  })
  const present = startPresent(demo, server.address)
  const { deviceId, version } = await updated
  expect(events.some((event) => event.deviceId === deviceId && event.reason === 'update')).toBe(
    true,
  )
  expect((await profileOf(server.fleet, place.app.key, deviceId ?? ''))?.version ?? version).toBe(
    version,
  )

  await present.stop()
  await server.fleet.settled()
  const { checkIns, failures } = present.tally
  expect(server.fleet.feed.sequence).toBeGreaterThanOrEqual(checkIns)
  expect(failures).toBe(0)
})

test('nothing is planned any more once it has stopped', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const present = startPresent({ devices: [] }, 'http://127.0.0.1:1')
  expect(timers()).toBe(before + 1)
  await present.stop()
  expect(timers()).toBe(before)
})

test('a failing server is reported once, and its recovery once', async () => {
  let status = 503
  const server = createHttpServer((_request, response) => response.writeHead(status).end('busy'))
  const host = await listenLocally(server)
  const demo = await makeSmallDemo(temporaryFolder())
  const received: (string | undefined)[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  let present: Present | undefined
  server.on('request', () => {
    // Some more after the first, which must not be said again.
    if ((present?.tally.failures ?? 0) > 2) status = 204
  })
  present = startPresent(demo, `http://${host}`, (reason) => {
    received.push(reason)
    if (reason === undefined) resolve()
  })
  await promise
  expect(received).toEqual(['the server answered 503: busy', undefined])
})
