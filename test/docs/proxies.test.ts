import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { networkAddress } from '../support/builders/network.ts'
import {
  call,
  cookieOf,
  openLive,
  PASSWORD,
  pageHeaders,
  send,
  startBrowserConsole,
} from '../support/servers/browser.ts'
import { PROXIED, startDocumentedProxy } from '../support/servers/documented-proxy.ts'
import { builtFile, startHosting, uploadFile } from '../support/servers/hosting.ts'
import { needs } from '../support/tools.ts'

/** Starts a server and the documented proxy in front of it, both on free ports. Returns the proxy's origin. */
async function startBehind(proxy: 'nginx' | 'caddy', prefix: string) {
  const name = networkAddress()
  const server = await startBrowserConsole({
    trustProxy: ['loopback'],
    console: { names: [name] },
    limits: { device: 40 },
  })
  const origin = await startDocumentedProxy(proxy, { prefix, server: server.address, name })
  return { server, name, origin }
}

describe.each(PROXIED)('behind %s at "%s/"', (proxy, prefix) => {
  test('the console works as without it', needs(proxy), async () => {
    const { server, name, origin } = await startBehind(proxy, prefix)
    const base = `${origin}${prefix}`
    const landing = await send(base, '/', { headers: { accept: 'text/html' } })
    expect([landing.status, landing.headers.location]).toEqual([302, './console/'])
    const page = await send(base, '/console/')
    expect([page.status, page.headers['strict-transport-security']]).toEqual([
      200,
      'max-age=31536000',
    ])

    // What a client says of its own address is not believed.
    const forged = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' }
    const { token } = await server.people.createSetupLink()
    const accepted = { token, name: 'Ada', password: PASSWORD }
    const strange = { ...pageHeaders(origin), ...forged }
    const signedUp = await call(base, 'account/acceptLink', accepted, strange)
    expect(signedUp.headers['set-cookie']?.[0]).toMatch(/^__Host-tidegate-session=.*; Secure/)
    const headers = pageHeaders(origin, cookieOf(signedUp))
    expect((await call(base, 'api/apps.list', undefined, headers)).status).toBe(200)
    const [account] = server.people.list()
    expect(server.people.sessionsOf(account?.id ?? '').map(({ address }) => address)).toEqual([
      name,
    ])

    const live = await openLive(base, headers)
    expect(live).toBeInstanceOf(WebSocket)
    if (live instanceof WebSocket) live.terminate()
    const foreign = { ...headers, origin: 'https://evil.example' }
    expect(await openLive(base, foreign)).toBe(403)
    expect((await call(base, 'api/apps.list', undefined, foreign)).status).toBe(403)

    // Clients that change what they say of themselves share one limit all the same.
    const statuses = await Promise.all(
      Array.from({ length: 45 }, (_, n) =>
        call(base, 'account/state', undefined, {
          ...pageHeaders(origin),
          'x-forwarded-for': `203.0.113.${n}`,
        }),
      ),
    )
    expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  })
})

test('behind nginx, a device can ask for as many parts of a file as electron-updater does', {
  ...needs('nginx'),
}, async () => {
  const server = await startHosting()
  const { url } = await uploadFile(server, builtFile(1_000).content)
  const name = networkAddress()
  const origin = await startDocumentedProxy('nginx', { prefix: '', server: server.address, name })
  // Zeros in front, as long as the numbers of a large file.
  const number = (value: number) => String(value).padStart(10, '0')
  const ranges = Array.from({ length: 500 }, (_, at) => `${number(at * 2)}-${number(at * 2)}`)
  const range = `bytes=${ranges.join(', ')}`
  expect(range.length).toBeGreaterThan(11_000)
  const { status, headers } = await send(origin, new URL(url).pathname, { headers: { range } })
  expect(status).toBe(206)
  expect(headers['content-type']).toContain('multipart/byteranges')
})
