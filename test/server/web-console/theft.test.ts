import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { consoleRouter } from '../../../src/server/console/router.ts'
import { accountRouter } from '../../../src/server/web-console/account.ts'
import { SESSION_ENDED } from '../../../src/shared/console/bridge/web.ts'
import {
  call,
  cookieOf,
  openLive,
  PASSWORD,
  pageHeaders,
  send,
  signUp,
  startBrowserConsole,
} from '../../support/servers/browser.ts'

const LIST = 'api/apps.list'

test('a stranger gets no data', async () => {
  const server = await startBrowserConsole()
  const { status, text } = await call(server.address, LIST, undefined)
  expect(status).toBe(401)
  expect(JSON.parse(text).error.data.callError).toEqual({
    code: 'unauthenticated',
    refusal: { code: 'sign_in_needed' },
  })
  expect(
    (
      await call(
        server.address,
        LIST,
        undefined,
        pageHeaders(server.address, 'tidegate-session=guess'),
      )
    ).status,
  ).toBe(401)
})

test('a stranger can sign in, and nothing else', async () => {
  const { address } = await startBrowserConsole({ limits: { device: 0 } })
  const openTo = async (root: string, router: { _def: { procedures: object } }) => {
    const answers = Object.keys(router._def.procedures).map(async (path) => {
      const { text } = await call(address, `${root}/${path}`, undefined)
      return text.includes('"sign_in_needed"') ? [] : [path]
    })
    return (await Promise.all(answers)).flat().toSorted()
  }
  expect(await openTo('api', consoleRouter)).toEqual([])
  expect(await openTo('account', accountRouter)).toEqual([
    'acceptLink',
    'completeSecondFactor',
    'enterCode',
    'link',
    'passkey',
    'signIn',
    'signInWithPasskey',
    'signOn',
    'signOut',
    'state',
  ])
})

test('calls of strangers are limited as update checks are, and those of people are not', async () => {
  const server = await startBrowserConsole({ limits: { device: 5 } })
  const { address } = server
  const own = pageHeaders(address, await signUp(server))
  const state = async (headers = pageHeaders(address)) =>
    (await call(address, 'account/state', undefined, headers)).status
  for (let time = 0; time < 4; time += 1) expect(await state()).toBe(200)
  expect(await state()).toBe(429)
  expect(await state(own)).toBe(200)
})

test('calls of strangers are limited one by one in a request, and for an IPv6 network of any size', async () => {
  const address = 'https://updates.studio.example'
  const server = await startBrowserConsole({
    limits: { device: 30 },
    trustProxy: ['loopback'],
    console: { names: ['updates.studio.example'] },
  })
  const proxied = { ...pageHeaders(address), host: 'updates.studio.example' }
  const state = async (from: string, calls = 1) => {
    const path = `account/${Array(calls).fill('state').join(',')}${calls > 1 ? '?batch=1' : ''}`
    const headers = { ...proxied, 'x-forwarded-for': from, 'x-forwarded-proto': 'https' }
    return (await call(server.address, path, calls > 1 ? {} : undefined, headers)).status
  }
  expect(await state('192.0.2.1', 20)).toBe(200)
  expect(await state('192.0.2.1', 20)).toBe(429)
  expect(await state('192.0.2.2')).toBe(200)
  // Far more than what refills meanwhile.
  const accepted = async (networkOf: (n: number) => string) => {
    const from = Array.from({ length: 256 }, (_, n) => networkOf(n))
    const statuses = await Promise.all(from.map((one) => state(`${one}::1`)))
    return statuses.filter((status) => status === 200).length
  }
  const subnets = await accepted((n) => `2001:db8:1:${n.toString(16)}`)
  expect([subnets >= 60, subnets < 256]).toEqual([true, true])
  const sites = await accepted((n) => `2001:db8:2:${n.toString(16)}00`)
  expect([sites >= 120, sites < 256]).toEqual([true, true])
})

test('a session is of no use to another page', async () => {
  const server = await startBrowserConsole()
  const { address } = server
  const own = pageHeaders(address, await signUp(server))
  expect((await call(address, LIST, undefined, own)).status).toBe(200)

  const { 'tidegate-console': _, ...withoutHeader } = own
  const { origin: __, ...withoutOrigin } = own
  for (const headers of [
    withoutHeader,
    withoutOrigin,
    { ...own, origin: 'https://evil.example' },
    { ...own, origin: 'null' },
    { ...own, origin: address.replace('127.0.0.1', 'localhost') },
    { ...own, origin: address.replace(/\d+$/, '1') },
  ]) {
    const refused = await call(address, LIST, undefined, headers)
    expect([headers.origin, refused.status]).toEqual([headers.origin, 403])
    expect(refused.text).not.toContain('result')
  }
  // A link or an image of another page sends a GET.
  expect((await send(address, `/console/${LIST}`, { headers: own })).status).toBe(404)
})

test('a session is over when the person has signed out', async () => {
  const server = await startBrowserConsole()
  const { address } = server
  const headers = pageHeaders(address, await signUp(server))
  const live = await openLive(address, headers)
  if (!(live instanceof WebSocket)) throw new Error(`not connected: ${live}`)
  const closed = once(live, 'close')
  const signedOut = await call(address, 'account/signOut', undefined, headers)
  expect(signedOut.status).toBe(200)
  expect(cookieOf(signedOut)).toBe('tidegate-session=')
  expect((await closed)[0]).toBe(SESSION_ENDED)
  expect((await call(address, LIST, undefined, headers)).status).toBe(401)
  expect(await openLive(address, headers)).toBe(SESSION_ENDED)
})

test('the cookie of a session is out of reach of scripts and other sites', async () => {
  const server = await startBrowserConsole()
  const { token } = await server.people.createSetupLink()
  const { headers } = await call(server.address, 'account/acceptLink', {
    ...{ token, name: 'Ada', password: PASSWORD },
  })
  const [cookie = ''] = headers['set-cookie'] ?? []
  expect(cookie).toMatch(/^tidegate-session=[\w-]{43};/)
  for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Expires=']) {
    expect(cookie).toContain(attribute)
  }
  expect(cookie).not.toContain('Domain')
})

test('a browser that somebody signed in from is not delayed by others at its address', async () => {
  const server = await startBrowserConsole()
  const { address } = server
  const { token } = await server.people.createSetupLink()
  const signedUp = await call(address, 'account/acceptLink', {
    ...{ token, name: 'Ada', password: PASSWORD },
  })
  const known = signedUp.headers['set-cookie']?.[1] ?? ''
  expect(known).toMatch(/^tidegate-browser=[\w-]{22}\.[\w-]{22};/)
  for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=34560000']) {
    expect(known).toContain(attribute)
  }
  const attempt = async (password: string, cookie?: string) =>
    (await call(address, 'account/signIn', { name: 'Ada', password }, pageHeaders(address, cookie)))
      .status
  for (let time = 0; time < 10; time += 1) expect(await attempt('wrong')).toBe(401)
  expect(await attempt(PASSWORD)).toBe(429)
  expect(await attempt(PASSWORD, known.split(';')[0])).toBe(200)
})

test('the page can be neither framed nor fed with foreign scripts, and data is not kept', async () => {
  const server = await startBrowserConsole()
  const { address } = server
  const page = await send(address, '/console/')
  expect(page.status).toBe(200)
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(page.headers['content-security-policy']).toContain("script-src 'self'")
  expect(page.headers['x-frame-options']).toBe('DENY')
  expect(page.headers['strict-transport-security']).toBeUndefined()
  expect(page.headers['cache-control']).toBe('no-cache')
  const script = await send(address, '/console/assets/index-1.js')
  expect(script.headers['cache-control']).toContain('immutable')
  const data = await call(address, LIST, undefined, pageHeaders(address, await signUp(server)))
  expect(data.headers['cache-control']).toBe('no-store')
})

test('a connection serves one call after the other', async () => {
  const server = await startBrowserConsole()
  const headers = pageHeaders(server.address, await signUp(server))
  const answer = await call(server.address, 'api/search.find', { text: 'a' }, headers)
  expect([answer.status, answer.headers.connection]).toEqual([200, 'keep-alive'])
})

test('under another name the console answers nothing', async () => {
  const server = await startBrowserConsole()
  const { address } = server
  const own = pageHeaders(address, await signUp(server))
  const headers = { ...own, host: 'evil.example', origin: 'http://evil.example' }
  for (const [method, path] of [
    ['GET', '/console/'],
    ['GET', '/console/assets/index-1.js'],
    ['GET', '/console/downloads/ticket'],
    ['PUT', '/console/uploads/backup'],
    ['PUT', '/console/uploads/piece'],
    ['POST', `/console/${LIST}`],
    ['POST', '/console/account/state'],
  ] as const) {
    const { status, text } = await send(address, path, { method, headers })
    expect([path, status]).toEqual([path, 421])
    expect(text).toContain('--console-host')
  }
})

test('one request carries a bounded number of calls and bytes', async () => {
  const server = await startBrowserConsole()
  const headers = pageHeaders(server.address, await signUp(server))
  const many = Array.from({ length: 21 }, () => 'apps.list').join(',')
  expect((await call(server.address, `api/${many}?batch=1`, {}, headers)).status).toBe(400)
  const large = { ref: 'x'.repeat(5 * 1_024 * 1_024) }
  expect((await call(server.address, 'api/apps.create', large, headers)).status).toBe(413)
})

test('the public API is as it is without the console', async () => {
  const { address, key } = await startBrowserConsole()
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket' }
  const check = await send(address, '/u/nothing/stable/linux/x86_64/1.0.0', { headers: upgrade })
  expect(check.status).toBe(404)
  const releases = await send(address, '/api/v1/releases', {
    headers: { ...upgrade, authorization: `Bearer ${key}` },
  })
  expect(releases.status).toBe(200)
  const root = await send(address, '/')
  expect(root.headers['content-type']).toContain('application/json')
  const browser = await send(address, '/', { headers: { accept: 'text/html' } })
  expect([browser.status, browser.headers.location]).toEqual([302, './console/'])
})

test('without the option there is no console', async () => {
  const server = await startBrowserConsole({ console: { mode: 'off', pageFolder: '/' } })
  expect((await send(server.address, '/console/')).status).toBe(404)
  expect((await call(server.address, 'account/state', undefined)).status).toBe(404)
})
