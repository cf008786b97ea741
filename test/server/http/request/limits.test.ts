import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ServerConfig } from '../../../../src/server/config.ts'
import { callerAddress, compileTrust } from '../../../../src/server/http/request/address.ts'
import type { SqliteCatalogStore } from '../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { DEVICE } from '../../../support/builders/devices.ts'
import { check, expectError, RELEASES } from '../../../support/servers/calls.ts'
import { type Answer, startWithApp, type TestServer } from '../../../support/servers/server.ts'

const FEED = '/feed/editor/stable'
const DEVICES = [{ deviceId: DEVICE, version: '1.0.0', platform: 'linux', arch: 'x64' }]
const UNKNOWN_KEY = 'tg_unknown'

function feed(server: TestServer, forwardedFor?: string): Promise<Answer> {
  const headers: Record<string, string> =
    forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor }
  return server.call('GET', FEED, { key: null, headers })
}

function list(server: TestServer, key: string | null = server.key): Promise<Answer> {
  return server.call('GET', RELEASES, { key })
}

function expectLimited(answer: Answer, limit: number): void {
  expect(expectError(answer, 429)).toMatch(
    new RegExp(`^rate limit exceeded: at most ${limit} requests per minute; try again in \\d+ s$`),
  )
  const seconds = Number(answer.headers.get('retry-after'))
  expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    ratelimit: `"minute";r=0;t=${seconds}`,
    'ratelimit-policy': `"minute";q=${limit};w=60`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(seconds),
  })
}

test('a minute holds 600 requests of an address and of a key, and 30 rejected keys, unless set', () => {
  const { limits, trustProxy } = ServerConfig.parse({ dataFolder: 'data' })
  expect(limits).toEqual({ device: 600, key: 600, rejectedKey: 30 })
  expect(trustProxy).toEqual([])
})

describe('the limit of an address', () => {
  test('is one for checks and the feed, and not that of keys', async () => {
    const server = await startWithApp({ limits: { device: 4 } })
    expect((await check(server, '1.0.0')).status).toBe(204)
    expect((await feed(server)).status).toBe(200)
    expect((await check(server, '1.0.0', { device: null })).status).toBe(204)
    expect((await feed(server)).status).toBe(200)
    expectLimited(await check(server, '1.0.0'), 4)
    expectLimited(await feed(server), 4)
    expectLimited(await check(server, '1.0.0', { device: 'another-device' }), 4)
    expect((await feed(server)).headers.get('access-control-allow-origin')).toBe('*')
    expect((await list(server)).status).toBe(200)
    expect((await server.call('GET', '/healthz', { key: null })).status).toBe(200)
  })

  test('counts requests for what does not exist too', async () => {
    const server = await startWithApp({ limits: { device: 4 } })
    expect((await server.call('GET', '/feed/none/stable', { key: null })).status).toBe(404)
    expect((await check(server, '1.0.0', { channel: 'none' })).status).toBe(404)
    expect((await server.call('GET', '/nowhere', { key: null })).status).toBe(404)
    expect((await server.call('OPTIONS', RELEASES, { key: null })).status).toBe(404)
    expectLimited(await feed(server), 4)
    expectLimited(await server.call('GET', '/nowhere', { key: null }), 4)
    expectLimited(await server.call('OPTIONS', RELEASES, { key: null }), 4)
    expectLimited(await server.call('OPTIONS', FEED, { key: null }), 4)
  })

  test('holds for the API description, and not for health', async () => {
    const server = await startWithApp({ limits: { device: 1 } })
    const description = () => server.call('GET', '/api/v1/openapi.json', { key: null })
    const { status, headers } = await description()
    expect(status).toBe(200)
    expectLimited(await description(), 1)
    for (let asked = 0; asked < 5; asked += 1) {
      expect((await server.call('GET', '/healthz', { key: null })).status).toBe(200)
    }
    expect(headers.get('etag')).toMatch(/^"[\w-]{27}"$/)
  })

  test('is one for all addresses of an IPv6 /64', async () => {
    const server = await startWithApp({ limits: { device: 2 }, trustProxy: ['loopback'] })
    expect((await feed(server, '2001:db8:0:7::1')).status).toBe(200)
    expect((await feed(server, '2001:db8:0:7:ffff:1:2:3')).status).toBe(200)
    expectLimited(await feed(server, '2001:db8:0:7::2'), 2)
    expect((await feed(server, '2001:db8:0:8::2')).status).toBe(200)
  })

  test('is off with 0', async () => {
    const server = await startWithApp({ limits: { device: 0, key: 0, rejectedKey: 0 } })
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        if (index % 3 === 0) return (await list(server, UNKNOWN_KEY)).status
        return index % 3 === 1 ? (await list(server)).status : (await feed(server)).status
      }),
    )
    expect(new Set(answers)).toEqual(new Set([200, 401]))
  })
})

describe("the caller's address in X-Forwarded-For", () => {
  test('is ignored if no proxy is trusted', async () => {
    const server = await startWithApp({ limits: { device: 2 } })
    expect((await feed(server, '203.0.113.1')).status).toBe(200)
    expect((await feed(server, '203.0.113.2')).status).toBe(200)
    expectLimited(await feed(server, '203.0.113.3'), 2)
  })

  test('is used if trustProxy names the proxy', async () => {
    const limits = { device: 2, rejectedKey: 1 }
    const server = await startWithApp({ limits, trustProxy: ['loopback'] })
    for (const address of ['203.0.113.1', '203.0.113.2', '2001:db8::1']) {
      expect((await feed(server, address)).status).toBe(200)
      expect((await feed(server, address)).status).toBe(200)
      expectLimited(await feed(server, address), 2)
    }
    // What the caller put before the proxy's own entry is the caller's claim.
    expectLimited(await feed(server, '198.51.100.7, 203.0.113.1'), 2)
    expect((await feed(server, '203.0.113.1, 198.51.100.7')).status).toBe(200)
    // Without the header the caller is whoever connects.
    expect((await feed(server)).status).toBe(200)

    const headers = { 'X-Forwarded-For': '203.0.113.9' }
    const rejected = () => server.call('GET', RELEASES, { key: UNKNOWN_KEY, headers })
    expect((await rejected()).status).toBe(401)
    expectLimited(await rejected(), 1)
    expect((await list(server, UNKNOWN_KEY)).status).toBe(401)
  })

  test('is ignored if trustProxy names another proxy', async () => {
    const server = await startWithApp({ limits: { device: 1 }, trustProxy: ['10.0.0.0/8'] })
    expect((await feed(server, '203.0.113.1')).status).toBe(200)
    expectLimited(await feed(server, '203.0.113.2'), 1)
  })

  test('is not read after the caller has disconnected', () => {
    const gone = new IncomingMessage(new Socket())
    gone.headers['x-forwarded-for'] = '203.0.113.1'
    for (const proxies of [[], ['loopback']]) {
      expect(callerAddress(gone, { trustProxy: compileTrust(proxies) })).toBe('')
    }
  })
})

describe('the limit of a key', () => {
  test('is one for all routes under /api/v1, and each key has its own', async () => {
    const server = await startWithApp({ limits: { key: 3 } })
    const other = await server.mint()
    const first = await list(server)
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'ratelimit-limit': '3',
      'ratelimit-remaining': '2',
    })
    expect(first.headers.get('retry-after')).toBeNull()
    const body = { app: 'editor', devices: DEVICES }
    expect((await server.call('POST', '/api/v1/fleet/report', { body })).status).toBe(200)
    expect((await server.call('PATCH', RELEASES, { body: {} })).status).toBe(400)
    expectLimited(await list(server), 3)
    expectLimited(await server.call('POST', RELEASES, { body: {} }), 3)
    expectLimited(await server.call('POST', '/api/v1/fleet/decisions', { body }), 3)
    expect((await list(server, other)).status).toBe(200)
    expect((await check(server, '1.0.0')).status).toBe(204)
  })

  test('counts a fleet call once, however many devices it names', async () => {
    const server = await startWithApp({ limits: { key: 2 } })
    const devices = Array.from({ length: 500 }, (_, index) => ({
      ...{ deviceId: `device-${index}`, version: '1.0.0', platform: 'linux', arch: 'x64' },
    }))
    for (const path of ['/api/v1/fleet/decisions', '/api/v1/fleet/report']) {
      const answer = await server.call('POST', path, { body: { app: 'editor', devices } })
      expect(answer.status).toBe(200)
    }
    expectLimited(await list(server), 2)
  })

  test('counts calls that the scopes of the key do not cover', async () => {
    const server = await startWithApp({ limits: { key: 1 } })
    const key = await server.mint({ scopes: ['fleet'] })
    expect((await list(server, key)).status).toBe(403)
    expectLimited(await list(server, key), 1)
  })
})

describe('the limit of rejected keys', () => {
  test('is 30 an address, after which a valid key still works', async () => {
    const limits = { rejectedKey: ServerConfig.parse({ dataFolder: 'd' }).limits.rejectedKey }
    const server = await startWithApp({ limits })
    for (let rejected = 0; rejected < 30; rejected++) {
      expect((await list(server, rejected % 2 === 0 ? UNKNOWN_KEY : null)).status).toBe(401)
    }
    expectLimited(await list(server, UNKNOWN_KEY), 30)
    expectLimited(await list(server, null), 30)
    expect((await list(server)).status).toBe(200)
    expect((await feed(server)).status).toBe(200)
  })

  test('keeps the database out of refusals', async () => {
    const server = await startWithApp({ limits: { rejectedKey: 2, key: 1 } })
    expect((await list(server)).status).toBe(200)
    expect((await list(server, UNKNOWN_KEY)).status).toBe(401)
    const store = server.catalog.store as SqliteCatalogStore
    store.close()
    expect((await list(server, null)).status).toBe(401)
    expectLimited(await list(server, UNKNOWN_KEY), 2)
    expectLimited(await list(server), 1)
  })
})
