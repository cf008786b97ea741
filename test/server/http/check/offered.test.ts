import { expect, test } from 'vitest'
import { DEVICE } from '../../../support/builders/devices.ts'
import { check, publish, serve, shown } from '../../../support/servers/calls.ts'
import { startServer, startWithApp, type TestServer } from '../../../support/servers/server.ts'

function plan(server: TestServer, dryRun: boolean, version = '0.9.0') {
  const device = { deviceId: DEVICE, version, platform: 'darwin', arch: 'aarch64' }
  return server.call('POST', '/api/v1/fleet/decisions', {
    body: { app: 'editor', dryRun, devices: [device] },
  })
}

test('a release becomes offered with the first check that offers it', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  await publish(server, '2.0.0', { rolloutPct: 0 })
  const offered = async () => [
    (await shown(server, '1.0.0')).offered,
    (await shown(server, '2.0.0')).offered,
  ]
  expect((await check(server, '1.0.0')).status).toBe(204)
  expect((await check(server, '3.0.0')).status).toBe(204)
  expect(await offered()).toEqual([false, false])
  expect((await check(server, '0.9.0')).body.version).toBe('1.0.0')
  expect(await offered()).toEqual([true, false])
})

test('a decision that is no dry run offers, a dry run does not', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const dry = await plan(server, true)
  expect(dry.body.updatesOffered).toBe(1)
  expect(await shown(server, '1.0.0')).toMatchObject({ offered: false })
  expect((await serve(server, '1.0.0', { rolloutPct: 99 })).status).toBe(200)
  await serve(server, '1.0.0', { rolloutPct: 100 })
  const wet = await plan(server, false)
  expect(wet.body.decisions[0].update.version).toBe('1.0.0')
  expect(await shown(server, '1.0.0')).toMatchObject({ offered: true })
  expect((await serve(server, '1.0.0', { rolloutPct: 99 })).status).toBe(422)
})

test('a release to which devices are downgraded becomes offered too', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  await publish(server, '2.0.0')
  await serve(server, '2.0.0', { status: 'rolled_back' })
  expect((await check(server, '2.0.0')).body.version).toBe('1.0.0')
  expect(await shown(server, '1.0.0')).toMatchObject({ offered: true })
  expect(await shown(server, '2.0.0')).toMatchObject({ offered: false })
})

test('the offer is in the database when the answer leaves, and is remembered after a restart', async () => {
  const first = await startWithApp()
  await publish(first, '1.0.0')
  expect((await check(first, '0.9.0')).status).toBe(200)
  const stored = await first.catalog.store.releasePage({ limit: 1, offset: 0 })
  expect(stored.releases[0]?.offered).toBe(true)
  await first.stop()

  const second = await startServer({ dataFolder: first.folder })
  expect(await shown(second, '1.0.0')).toMatchObject({ offered: true })
  expect((await serve(second, '1.0.0', { rolloutPct: 99 })).status).toBe(422)
})
