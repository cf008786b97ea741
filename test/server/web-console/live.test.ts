import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { SESSION_ENDED } from '../../../src/shared/console/bridge/web.ts'
import { eventually } from '../../support/eventually.ts'
import {
  call,
  cookieOf,
  openLive,
  PASSWORD,
  pageHeaders,
  signUp,
  startBrowserConsole,
} from '../../support/servers/browser.ts'

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

test('subscriptions come over the live connection, not by HTTP, where they would outlive the session', async () => {
  const server = await startBrowserConsole()
  const headers = pageHeaders(server.address, await signUp(server))
  for (const path of ['events.changes', 'fleet.live', 'events%2Echanges']) {
    const { text } = await call(server.address, `api/${path}`, undefined, headers)
    expect([path, text]).toEqual([path, expect.stringContaining('NOT_FOUND')])
    expect(text).not.toContain('sequence')
  }
})

test('calls come by HTTP, not over the live connection', async () => {
  const server = await startBrowserConsole()
  const live = await openLive(server.address, pageHeaders(server.address, await signUp(server)))
  if (!(live instanceof WebSocket)) throw new Error(`not connected: ${live}`)
  live.send(JSON.stringify({ type: 'call', id: 1, request: { type: 'query', path: 'apps.list' } }))
  const [data] = await once(live, 'message')
  expect(JSON.parse(String(data)).result.ok).toBe(false)
  live.terminate()
})

test('one session has at most 50 live connections, and the server 1,000', async () => {
  // A tenth of the connections is for one address.
  const server = await startBrowserConsole({ maxConnections: 20_000, limits: { device: 0 } })
  const { address } = server
  let cookie = await signUp(server)
  const sockets: WebSocket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate()
  })
  const open = async () => {
    const opened = await openLive(address, pageHeaders(address, cookie))
    if (opened instanceof WebSocket) sockets.push(opened)
    return opened
  }
  const person = { name: 'Ada', password: PASSWORD }
  for (let session = 0; session < 20; session += 1) {
    await Promise.all(Array.from({ length: 50 }, () => open()))
    expect([session, await open()]).toEqual([session, 1_013])
    cookie = cookieOf(await call(address, 'account/signIn', person))
  }
  expect(sockets).toHaveLength(1_000)
  expect(await open()).toBe(1_013)
  sockets[0]?.close()
  await eventually(async () => expect(await open()).toBeInstanceOf(WebSocket))
})
