import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { keepSelfSigned } from '../../src/server/cli/self-signed.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { networkAddress } from '../support/builders/network.ts'
import { PageCode } from '../support/docs/page.ts'
import { freePort } from '../support/processes/ports.ts'
import {
  call,
  cookieOf,
  openLive,
  PASSWORD,
  pageHeaders,
  send,
  startBrowserConsole,
} from '../support/servers/browser.ts'
import { type ProxyName, startProxy } from '../support/servers/proxy.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const code = new PageCode('docs/operate.md')
const SITES: Readonly<Record<ProxyName, string>> = {
  nginx: code.takeOne('Behind a reverse proxy', 'nginx'),
  caddy: code.takeOne('Behind a reverse proxy', 'caddy'),
}

/** The certificate of this computer in a file that the proxy's account can read. */
async function certificate(): Promise<string> {
  const { file } = await keepSelfSigned(temporaryFolder(), [])
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-proxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  const readable = join(folder, 'certificate.pem')
  copyFileSync(file, readable)
  chmodSync(readable, 0o644)
  return readable
}

/** Starts a server and the documented proxy in front of it, both on free ports. Returns the proxy's origin. */
async function startBehind(proxy: ProxyName, prefix: string) {
  const name = networkAddress()
  const server = await startBrowserConsole({
    trustProxy: ['loopback'],
    console: { names: [name] },
    limits: { device: 40 },
  })
  const [port, file] = [await freePort(), await certificate()]
  const site = SITES[proxy]
    .replace('127.0.0.1:8440', new URL(server.address).host)
    .replaceAll(/\/etc\/ssl\/\S+(?=;)/g, file)
    .replace('listen 443', `listen ${port}`)
    .replace('location / {', `location ${prefix}/ {`)
    .replace('handle_path /* {', `handle_path ${prefix}/* {`)
    .replace('updates.example.com {', `https://${name}:${port} {\n  tls ${file} ${file}`)
    .replace('updates.example.com', name)
  await startProxy(proxy, { site, port })
  return { server, name, origin: `https://${name}:${port}` }
}

test.each([
  ['nginx', ''],
  ['nginx', '/tidegate'],
  ['caddy', ''],
  ['caddy', '/tidegate'],
] as const)('behind %s at "%s/", the console works as without it', async (proxy, prefix) => {
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
  expect(server.people.sessionsOf(account?.id ?? '').map(({ address }) => address)).toEqual([name])

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
