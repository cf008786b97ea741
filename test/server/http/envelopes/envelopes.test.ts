import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { planOf } from '../../../support/builders/plans.ts'
import { HOUR } from '../../../support/builders/time.ts'
import { eventually } from '../../../support/eventually.ts'
import { startFixture } from '../../../support/processes/fixture.ts'
import { publish } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { needs } from '../../../support/tools.ts'

const MANAGER = { ...PRINCIPAL, seesArchived: true }
const PLACE = { app: 'editor', channel: 'stable', version: '1.2.3' }

async function sessionsOf({ updates }: TestServer, place = PLACE) {
  return (await updates.showHealth(PRINCIPAL, place)).sessions
}

/** An envelope with these items. */
function envelope(...items: readonly (readonly [type: string, payload: object])[]): string {
  const lines = items.flatMap(([type, payload]) => [{ type }, payload])
  return [{ sent_at: '2026-11-27T00:00:00Z' }, ...lines]
    .map((line) => JSON.stringify(line))
    .join('\n')
}

function session(members: object, release = 'editor@1.2.3') {
  return ['session', { sid: 'a', status: 'exited', attrs: { release }, ...members }] as const
}

async function send(server: TestServer, body: string | Uint8Array<ArrayBuffer>, headers = {}) {
  const response = await fetch(`${server.address}/sentry/editor/api/1/envelope/?sentry_key=any`, {
    ...{ method: 'POST', body, headers },
  })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

test('sessions of an app with the SDK of Sentry are counted', needs('@sentry/node'), async () => {
  const server = await startWithApp()
  await publish(server, '1.2.3')
  const dsn = `${server.address.replace('://', '://any@')}/sentry/editor/1`
  const run = async (end: string, device: string) => {
    await startFixture('sentry-app.ts', dsn, 'editor@1.2.3', device, end).exited
  }
  await Promise.all([run('exit', 'one'), run('error', 'two'), run('crash', 'two')])
  await eventually(async () =>
    expect(await sessionsOf(server)).toMatchObject({
      ...{ started: 3, ended: 3, healthy: 1, errored: 1, crashed: 1, abnormal: 0 },
      ...{ networks: 1, devices: 2, crashedDevices: 1, crashFreePct: expect.closeTo(66.7, 1) },
    }),
  )
  await run('serve', 'three')
  // Of a server, the SDK counts the two requests, and not the process.
  await eventually(async () =>
    expect(await sessionsOf(server)).toMatchObject({ started: 5, ended: 5, healthy: 3 }),
  )
})

test('envelopes are answered as Sentry does, whatever is in them', async () => {
  const server = await startWithApp()
  await publish(server, '1.2.3')
  const id = 'ab'.repeat(16)
  const payload = JSON.stringify({ message: 'a\nb' })
  const mixed = [
    JSON.stringify({ event_id: id }),
    JSON.stringify({ type: 'event', length: Buffer.byteLength(payload) }),
    payload,
    JSON.stringify({ type: 'attachment', length: 3 }),
    '\n\n\n',
    ...envelope(session({ init: true, status: 'ok' }), session({ status: 'abnormal' }))
      .split('\n')
      .slice(1),
    '',
  ].join('\n')
  const answer = await send(server, gzipSync(mixed), { 'content-encoding': 'gzip' })
  expect(answer).toMatchObject({ status: 200, body: { id } })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const aggregates = [
    { started: '2026-11-27T00:00:00Z', exited: 5, errored: 2 },
    { started: '2026-11-27T00:01:00Z', crashed: 1, did: 'one' },
    // No session, so no device either.
    { started: '2026-11-27T00:01:00Z', did: 'two' },
  ]
  const sums = ['sessions', { aggregates, attrs: { release: 'v1.2.3+400' } }] as const
  expect(await send(server, envelope(sums))).toMatchObject({
    ...{ status: 200, body: { id: expect.stringMatching(/^[\da-f]{32}$/) } },
  })
  // Updates of a session that goes on, and releases of another version.
  const others = [session({ status: 'ok' }), session({}, 'editor@9.9.9'), session({}, 'abc')]
  expect((await send(server, envelope(...others))).status).toBe(200)
  await eventually(async () =>
    expect(await sessionsOf(server)).toMatchObject({
      ...{ started: 9, ended: 9, healthy: 5, errored: 2, crashed: 1, abnormal: 1, devices: 1 },
    }),
  )
  const { id: releaseId } = await server.updates.getRelease(PRINCIPAL, PLACE)
  const { sessionsOf: stored } = server.catalog.store
  expect((await stored(releaseId)).networks).toHaveLength(1)
  await server.updates.setAppArchived(PRINCIPAL, { app: 'editor', archived: true })
  await server.updates.removeApp(MANAGER, { app: 'editor', confirmation: 'editor' })
  const nothing = { networks: [], registers: [] }
  expect(await stored(releaseId)).toEqual(nothing)
})

test('what is no envelope is refused', async () => {
  const server = await startWithApp()
  await publish(server, '1.2.3')
  for (const malformed of ['', 'x', '{}\n{"type":"session","length":9}\n{}', '{}\n{}']) {
    expect((await send(server, malformed)).status).toBe(400)
  }
  expect((await send(server, envelope(session({ errors: 'many' })))).status).toBe(400)
  const bomb = gzipSync(Buffer.alloc(2 * 1_024 ** 2))
  expect((await send(server, bomb, { 'content-encoding': 'gzip' })).status).toBe(413)
  const unknown = await fetch(`${server.address}/sentry/other/api/1/envelope/`, {
    ...{ method: 'POST', body: envelope(session({})) },
  })
  expect(unknown.status).toBe(404)
})

test('an address can report a limited number of sessions', async () => {
  const server = await startWithApp({ budgets: { sessions: 10 } })
  await publish(server, '1.2.3')
  const group = (exited: number) =>
    envelope(['sessions', { aggregates: [{ exited }], attrs: { release: '1.2.3' } }])
  expect((await send(server, group(1_000_000_000))).status).toBe(200)
  expect((await send(server, group(8))).status).toBe(200)
  expect((await send(server, group(8))).status).toBe(200)
  await eventually(async () => expect(await sessionsOf(server)).toMatchObject({ healthy: 8 }))
  const { body } = await server.call('GET', '/healthz')
  expect(body.budgets).toMatchObject([{ name: 'sessions', count: 2 }])
})

test('a gate asks for crash-free sessions, also without the network that has the most', async () => {
  const time = { now: Date.parse('2026-11-20T10:00:00.000Z') }
  const config = { trustProxy: ['loopback'], plans: { lookEvery: 1 } }
  const server = await startWithApp(config, undefined, { clock: () => time.now })
  const gate = { crashFree: { minPct: 90, minSessions: 50 } }
  const steps = [
    { rolloutPct: 10, soakHours: 1, gate },
    { rolloutPct: 100, soakHours: 1 },
  ]
  await publish(server, '1.2.3', { plan: planOf(steps) })
  time.now += HOUR
  const shown = async () => {
    time.now += 61_000
    const { plan } = await server.updates.getPlan(PRINCIPAL, PLACE)
    return { step: plan?.step, reading: plan?.readings?.[0] }
  }
  const waitsWith = (reading: object) =>
    eventually(async () => expect(await shown()).toMatchObject({ step: 1, reading }))
  const report = async (from: string, exited: number, crashed: number) => {
    const body = envelope([
      'sessions',
      { aggregates: [{ exited, crashed }], attrs: { release: '1.2.3' } },
    ])
    await send(server, body, { 'x-forwarded-for': from })
  }
  await waitsWith({ check: 'crashFree', problem: 'no_data' })
  await report('192.0.2.1', 10, 0)
  await waitsWith({ problem: 'few_sessions', sessions: 10 })
  await report('192.0.2.2', 80, 10)
  // 10 of 100 are at most 22.4%.
  await waitsWith({ problem: null, value: expect.closeTo(77.59, 1) })
  // Whoever invents healthy sessions in one network opens nothing.
  await report('198.51.100.1', 5_000, 0)
  await waitsWith({ problem: null, value: expect.closeTo(77.59, 1), sessions: 5_100 })
  await report('203.0.113.1', 1_000, 0)
  await eventually(async () => expect(await shown()).toMatchObject({ step: 2 }))
})
