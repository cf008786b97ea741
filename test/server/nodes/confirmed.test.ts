import { once } from 'node:events'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { OUT_OF_CONTACT } from '../../../src/shared/console/bridge/web.ts'
import { artifact } from '../../support/builders/releases.ts'
import { eventually } from '../../support/eventually.ts'
import {
  call,
  openLive,
  pageHeaders,
  signUp,
  startBrowserConsole,
} from '../../support/servers/browser.ts'
import { expectError, publish, serve, shown } from '../../support/servers/calls.ts'
import { OtherServers } from '../../support/servers/others.ts'
import { startWithApp } from '../../support/servers/server.ts'

const ROLL_BACK = { status: 'rolled_back' }
const MESSAGE =
  'the change is saved, but not every server has confirmed it yet; check again in a few seconds'

test('a rollback is answered once the others serve it', async () => {
  const others = new OtherServers()
  const server = await startWithApp({}, undefined, others.parts)
  await publish(server, '1.1.0')
  const asked = Promise.withResolvers<number>()
  const confirmed = Promise.withResolvers<boolean>()
  others.acknowledged = async (part, revision) => {
    if (part === 'catalog') asked.resolve(revision)
    return await confirmed.promise
  }
  let answered = false
  const answer = serve(server, '1.1.0', ROLL_BACK).then((result) => {
    answered = true
    return result
  })
  expect(await asked.promise).toBe(await server.catalog.store.revision())
  expect(answered).toBe(false)
  confirmed.resolve(true)
  expect((await answer).status).toBe(200)
})

test('a rollback that is not confirmed says that it is saved, and can be repeated', async () => {
  const others = new OtherServers()
  const server = await startWithApp({}, undefined, others.parts)
  await publish(server, '1.1.0')
  others.acknowledged = async () => false
  const answer = await serve(server, '1.1.0', ROLL_BACK)
  expect(expectError(answer, 503)).toBe(MESSAGE)
  expect((await shown(server, '1.1.0')).status).toBe('rolled_back')
  others.acknowledged = () => Promise.reject(new Error('the connection was lost'))
  expect(expectError(await serve(server, '1.1.0', ROLL_BACK), 503)).toBe(MESSAGE)
  others.acknowledged = async () => true
  expect((await serve(server, '1.1.0', ROLL_BACK)).status).toBe(200)
})

test('publishing and drafts wait, too, and are answered anyway if they cannot be repeated', async () => {
  const others = new OtherServers()
  const server = await startWithApp({}, undefined, others.parts)
  const asked: number[] = []
  others.acknowledged = async (part, revision) => {
    if (part === 'catalog') asked.push(revision)
    return false
  }
  const isAsked = async () => asked.at(-1) === (await server.catalog.store.revision())
  await publish(server, '1.1.0')
  expect(await isAsked()).toBe(true)
  const place = { app: 'editor', channel: 'stable', version: '1.2.0' }
  const draft = { ...place, artifacts: [artifact()] }
  expect(expectError(await server.call('PUT', '/api/v1/drafts', { body: draft }), 503)).toBe(
    MESSAGE,
  )
  expect(await isAsked()).toBe(true)
  const published = await server.call('POST', '/api/v1/drafts/publish', { body: place })
  expect([published.status, await isAsked()]).toEqual([201, true])
  const other = { ...draft, version: '1.3.0' }
  await server.call('PUT', '/api/v1/drafts', { body: other })
  const body = { ...place, version: '1.3.0' }
  const discarded = await server.call('DELETE', '/api/v1/drafts', { body })
  expect([discarded.status, await isAsked()]).toEqual([200, true])
})

test('changes in the console wait, too; what is shown only once is returned anyway', async () => {
  const others = new OtherServers()
  const server = await startBrowserConsole({}, others.parts)
  const cookie = await signUp(server)
  const headers = pageHeaders(server.address, cookie)
  const minted = { app: null, name: 'CI', scopes: ['read'], bypassApproval: false }
  others.acknowledged = async (part) => part !== 'catalog'
  const mint = await call(server.address, 'api/keys.mint', minted, headers)
  expect([mint.status, mint.text]).toEqual([200, expect.stringContaining('secret')])
  const created = await call(
    server.address,
    'api/apps.create',
    { ref: 'editor', name: 'Editor' },
    headers,
  )
  expect([created.status, created.text]).toEqual([503, expect.stringContaining('not_confirmed')])
  expect(server.catalog.snapshot.appByName.has('editor')).toBe(true)
  await publish(server, '1.0.0')
  const release = { app: 'editor', channel: 'stable', version: '1.0.0' }
  const stop = () => call(server.address, 'api/releases.stop', release, headers)
  const stopped = await stop()
  expect([stopped.status, stopped.text]).toEqual([503, expect.stringContaining('not_confirmed')])
  expect((await shown(server, '1.0.0')).status).toBe('paused')
  others.acknowledged = async () => true
  expect((await stop()).status).toBe(200)
  others.acknowledged = async (part) => part !== 'people'
  const out = await call(server.address, 'account/signOut', undefined, headers)
  expect([out.status, out.text]).toEqual([503, expect.stringContaining('not_confirmed')])
  expect(out.headers['set-cookie']?.[0]).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/)
})

test('the console of a server out of contact says so, and works again by itself', async () => {
  const others = new OtherServers()
  const server = await startBrowserConsole({}, others.parts)
  const headers = pageHeaders(server.address, await signUp(server))
  const live = await openLive(server.address, headers)
  if (!(live instanceof WebSocket)) throw new Error(`not connected: ${live}`)
  const closed = once(live, 'close')
  others.lose()
  expect((await closed)[0]).toBe(OUT_OF_CONTACT)
  expect(await openLive(server.address, headers)).toBe(503)
  const { token } = await server.people.createSetupLink().catch(() => ({ token: 'x' }))
  for (const [path, input] of [
    ['api/apps.list', undefined],
    ['api/apps.create', { ref: 'editor', name: 'Editor' }],
    ['account/state', undefined],
    ['account/acceptLink', { token, password: 'x' }],
  ] as const) {
    const { status, text } = await call(server.address, path, input, headers)
    expect([path, status, JSON.parse(text).error.data.callError]).toEqual([
      path,
      503,
      { code: 'unavailable', reason: 'out_of_contact' },
    ])
  }
  others.regain()
  await eventually(async () => {
    expect((await call(server.address, 'api/apps.list', undefined, headers)).status).toBe(200)
  })
  const again = await openLive(server.address, headers)
  expect(again).toBeInstanceOf(WebSocket)
  if (again instanceof WebSocket) again.terminate()
})
