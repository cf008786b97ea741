import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { SESSION_ENDED } from '../../../src/shared/console/web.ts'
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

test('the live connection is for the page of the console only', async () => {
  const server = await startBrowserConsole()
  const { address } = server
  const own = pageHeaders(address, await signUp(server))
  expect(await openLive(address, { ...own, origin: 'https://evil.example' })).toBe(403)
  const { origin: _, ...withoutOrigin } = own
  expect(await openLive(address, withoutOrigin)).toBe(403)
  expect(await openLive(address, { ...own, host: 'evil.example' })).toBe(421)
  expect(await openLive(address, { origin: address })).toBe(SESSION_ENDED)
  const live = await openLive(address, own)
  expect(live).toBeInstanceOf(WebSocket)
  if (live instanceof WebSocket) live.terminate()
})

test('a subscription without an input reports changes as they happen', async () => {
  const server = await startBrowserConsole()
  const live = await openLive(server.address, pageHeaders(server.address, await signUp(server)))
  if (!(live instanceof WebSocket)) throw new Error(`not connected: ${live}`)
  live.send(JSON.stringify({ type: 'subscribe', id: 1, request: { path: 'events.changes' } }))
  expect(await nextEvent(live)).toMatchObject({ type: 'data', data: { changed: [] } })
  await server.mint({ name: 'another' })
  expect(await nextEvent(live)).toMatchObject({ type: 'data', data: { changed: ['catalog'] } })
  live.terminate()
})

async function nextEvent(live: WebSocket): Promise<unknown> {
  const [data] = await once(live, 'message')
  return JSON.parse(String(data)).event
}

test('calls come by HTTP, not over the live connection', async () => {
  const server = await startBrowserConsole()
  const live = await openLive(server.address, pageHeaders(server.address, await signUp(server)))
  if (!(live instanceof WebSocket)) throw new Error(`not connected: ${live}`)
  live.send(JSON.stringify({ type: 'call', id: 1, request: { type: 'query', path: 'apps.list' } }))
  const [data] = await once(live, 'message')
  expect(JSON.parse(String(data)).result.ok).toBe(false)
  live.terminate()
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

test('the page can be neither framed nor fed with foreign scripts, and data is not kept', async () => {
  const server = await startBrowserConsole()
  const { address } = server
  const page = await send(address, '/console/')
  expect(page.status).toBe(200)
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(page.headers['content-security-policy']).toContain("script-src 'self'")
  expect(page.headers['x-frame-options']).toBe('DENY')
  expect(page.headers['strict-transport-security']).toBeUndefined()
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
  const { address } = await startBrowserConsole()
  for (const path of ['/console/', '/console/assets/index-1.js']) {
    const { status, text } = await send(address, path, { headers: { host: 'evil.example' } })
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
