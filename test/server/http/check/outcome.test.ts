import { describe, expect, test } from 'vitest'
import { HOUR } from '../../../support/builders/time.ts'
import { expectError, publish, serve } from '../../../support/servers/calls.ts'
import { checkAs, offeredTo, report } from '../../../support/servers/fleet-calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { countStored } from '../../../support/servers/stored.ts'

const PLACE = '/u/editor/stable/outcome'

function outcome(server: TestServer, device: string | null, body: unknown, path = PLACE) {
  const headers: Record<string, string> = device === null ? {} : { 'x-service-device': device }
  return server.call('POST', path, { key: null, headers, body })
}

async function health(server: TestServer, version: string) {
  await server.fleet.settled()
  const path = `/api/v1/releases/editor/stable/${version}/health`
  const { status, body } = await server.call('GET', path)
  expect(status).toBe(200)
  return body.health
}

const FAILED = { version: '2.0.0', outcome: 'failed', detail: 'Installer exited with code 1603' }

async function withOffers() {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  await publish(server, '2.0.0')
  for (const device of ['one', 'two', 'three']) {
    expect(await offeredTo(server, '1.0.0', { device })).toBe('2.0.0')
  }
  return server
}

describe('the outcome of an update', () => {
  test('counts for the device that was offered it', async () => {
    const server = await withOffers()
    expect((await outcome(server, 'one', FAILED)).status).toBe(204)
    expect((await outcome(server, 'two', { version: 'v2.0.0', outcome: 'ok' })).status).toBe(204)
    expect((await health(server, '2.0.0')).health).toEqual({
      ...{ offered: 3, waiting: 1, adopted: 1, stuck: 0, reverted: 0, silent: 0, reported: 1 },
    })
    const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
    const [newest] = await server.fleet.checkIns({ appKey: app, deviceId: 'one' }, undefined, 5)
    expect(newest).toMatchObject({
      ...{ source: 'outcome', outcome: 'failed', detail: FAILED.detail, reason: null },
      ...{ profile: { version: '1.0.0' }, episode: { version: '2.0.0', state: 'reported' } },
    })
  })

  test('gets the same answer where it counts for nothing', async () => {
    const server = await withOffers()
    expect(await offeredTo(server, '2.0.0', { device: 'new' })).toBeNull()
    const before = (await health(server, '2.0.0')).health
    const count = await countStored(server, 'check_ins')
    for (const [device, body, path] of [
      ['nobody', FAILED, PLACE],
      ['new', FAILED, PLACE],
      ['one', { ...FAILED, version: '1.0.0' }, PLACE],
      ['one', { ...FAILED, version: '9.9.9' }, PLACE],
    ] as const) {
      const { status, text } = await outcome(server, device, body, path)
      expect({ status, text }).toEqual({ status: 204, text: '' })
    }
    expect((await health(server, '2.0.0')).health).toEqual(before)
    expect(await countStored(server, 'check_ins')).toEqual(count)
  })

  test('must be well-formed', async () => {
    const server = await withOffers()
    const at = '/u/editor/stable/outcome'
    for (const [device, body] of [
      [null, FAILED],
      ['a b', FAILED],
      ['one', { outcome: 'ok' }],
      ['one', { ...FAILED, outcome: 'maybe' }],
      ['one', { ...FAILED, detail: 'x'.repeat(501) }],
      ['one', { ...FAILED, detail: 'a\u0007b' }],
      ['one', { ...FAILED, more: true }],
    ] as const) {
      expectError(await outcome(server, device, body, at), 400)
    }
    expectError(await outcome(server, 'one', FAILED, '/u/nothing/stable/outcome'), 404)
    expectError(await outcome(server, 'one', FAILED, '/u/editor/nothing/outcome'), 404)
    expectError(await outcome(server, 'one', { ...FAILED, detail: 'x'.repeat(17_000) }), 413)
  })

  test('is limited as checks are', async () => {
    const server = await startWithApp({ limits: { device: 2 } })
    await publish(server, '1.0.0')
    expect((await outcome(server, 'one', FAILED)).status).toBe(204)
    expect((await checkAs(server, '1.0.0', { device: 'one' })).status).toBe(204)
    expect((await outcome(server, 'one', FAILED)).status).toBe(429)
  })

  test('comes with a report, too', async () => {
    const server = await withOffers()
    const failed = { version: '2.0.0', outcome: 'failed', detail: 'No space left' }
    const { status } = await report(server, [
      { deviceId: 'one', version: '1.0.0', outcome: failed },
      { deviceId: 'two', version: '2.0.0', outcome: { version: '2.0.0', outcome: 'ok' } },
      { deviceId: 'other', version: '1.0.0', outcome: failed },
    ])
    expect(status).toBe(200)
    expect((await health(server, '2.0.0')).health).toMatchObject({
      ...{ offered: 3, waiting: 1, adopted: 1, reported: 1 },
    })
  })
})

describe('the health of a release', () => {
  test('is beside that of the release before at the same age', async () => {
    let now = Date.UTC(2026, 2, 14, 9)
    const server = await startWithApp({}, undefined, { clock: () => now })
    await publish(server, '1.0.0')
    const offered = async (version: string, devices: number, running: string) => {
      await publish(server, version)
      for (let at = 0; at < devices; at++) {
        expect(await offeredTo(server, running, { device: `d${at}` })).toBe(version)
      }
    }
    await offered('1.1.0', 4, '1.0.0')
    now += HOUR
    expect(await offeredTo(server, '1.1.0', { device: 'd0' })).toBeNull()
    await server.fleet.settled()
    await server.fleet.sampleHealth(now)
    now += 50 * HOUR
    await offered('1.2.0', 2, '1.1.0')
    now += 1.5 * HOUR
    const shown = await health(server, '1.2.0')
    expect(shown).toMatchObject({
      ...{ app: 'editor', channel: 'stable', version: '1.2.0', failureShare: 0 },
      ...{ timeToAdopt: null, health: { offered: 2, waiting: 2 }, movedOn: 0 },
      previous: { version: '1.1.0', ageHours: 1, health: { offered: 4, adopted: 1, waiting: 3 } },
    })
    expect(shown.firstOfferedAt).toBe(new Date(now - 1.5 * HOUR).toISOString())
    await serve(server, '1.1.0', { status: 'rolled_back' })
    expect(await health(server, '1.2.0')).toMatchObject({ previous: null })
  })

  test('knows nothing of a release that was not offered', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0')
    expect(await health(server, '1.0.0')).toMatchObject({
      ...{ firstOfferedAt: null, timeToAdopt: null, previous: null, health: { offered: 0 } },
    })
    expectError(await server.call('GET', '/api/v1/releases/editor/stable/9.0.0/health'), 404)
  })
})
