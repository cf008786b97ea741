import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { revokeKey } from '../../../../src/server/catalog/keys.ts'
import type { SqliteCatalogStore } from '../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { eventually } from '../../../support/eventually.ts'
import { check, publish, RELEASES, serve } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: a line is whatever was logged
type Line = any

/** A server that logs everything, and what it has logged. */
async function startLogging(level = 'trace') {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  const server = await startWithApp({}, pino({ level }, stream))
  const lines = (): Line[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  const requests = () => lines().filter(({ msg }) => msg === 'request')
  /** Waits for that many lines about requests: each is written after its answer has left. */
  const settled = async (count: number) => {
    await eventually(() => expect(requests()).toHaveLength(count))
  }
  return { server, lines, requests, settled, text: () => text }
}

test('every request is one line at debug, with method, path, status and time', async () => {
  const { server, requests, settled } = await startLogging()
  await publish(server, '1.0.0')
  await check(server, '0.9.0', { query: '?l.ring=beta' })
  await check(server, '1.0.0')
  await server.call('GET', `${RELEASES}?app=editor&page=1`)
  await server.call('GET', '/feed/editor/stable', { key: null })
  await server.call('GET', RELEASES, { key: null })
  await server.call('POST', RELEASES, { raw: '{' })
  await server.call('GET', '/nowhere', { key: null })
  await settled(8)
  const times = { level: 20, milliseconds: expect.any(Number) }
  expect(requests()).toMatchObject([
    { ...times, method: 'POST', path: RELEASES, status: 201 },
    { ...times, method: 'GET', path: '/u/editor/stable/darwin/aarch64/0.9.0', status: 200 },
    { ...times, method: 'GET', path: '/u/editor/stable/darwin/aarch64/1.0.0', status: 204 },
    { ...times, method: 'GET', path: RELEASES, status: 200 },
    { ...times, method: 'GET', path: '/feed/editor/stable', status: 200 },
    { ...times, method: 'GET', path: RELEASES, status: 401 },
    { ...times, method: 'POST', path: RELEASES, status: 400 },
    { ...times, method: 'GET', path: '/nowhere', status: 404 },
  ])
})

test('every change is one line at info, and nothing else of the API is', async () => {
  const { server, lines } = await startLogging('info')
  const started = lines().length
  await publish(server, '1.0.0')
  await serve(server, '1.0.0', { rolloutPct: 50, status: 'paused' })
  await serve(server, '1.0.0', { rolloutPct: 50 })
  await serve(server, '1.0.0', { rolloutPct: 500 })
  await serve(server, '9.0.0', { rolloutPct: 5 })
  await server.call('POST', RELEASES, { body: publishBody('1.0.0') })
  await server.call('GET', RELEASES)
  await check(server, '0.9.0')
  const place = { level: 30, app: 'editor', channel: 'stable', version: '1.0.0' }
  expect(lines().slice(started)).toMatchObject([
    { ...place, msg: 'release published' },
    { ...place, msg: 'serving changed', rolloutPct: 50, status: 'paused' },
  ])
})

test('no key, no label and no query is ever in the log', async () => {
  const { server, settled, text } = await startLogging()
  const scoped = await server.mint({ name: 'scoped', scopes: ['read'] })
  const revoked = await server.mint({ name: 'revoked' })
  await revokeKey(server.catalog, ACTOR, revoked.slice(0, 8))
  const wrong = `tg_wrong${'Zz9'.repeat(12)}`
  const labels = { 'qqlabelkey/one': 'qqlabelvalue-one' }
  const query = '?l.qqlabelkey/two=qqlabelvalue-two&qqother=qqsecret'
  const expressions = [{ key: 'qqlabelkey', operator: 'In', values: ['qqlabelvalue'] }]
  const targets = { matchLabels: labels, matchExpressions: expressions }
  const device = { deviceId: 'qqdevice', version: '1.0.0', platform: 'darwin', arch: 'aarch64' }
  const devices = [{ ...device, labels }]

  await publish(server, '1.0.0', { targets })
  await serve(server, '1.0.0', { targets, rolloutPct: 40 })
  await serve(server, '1.0.0', { targets: { matchLabels: { qqlabelkey: '' } } })
  for (const key of [server.key, scoped, revoked, wrong]) {
    for (const path of ['/api/v1/fleet/report', '/api/v1/fleet/decisions']) {
      await server.call('POST', path, { key, body: { app: 'editor', devices } })
    }
    await server.call('POST', RELEASES, { key, raw: `{"qqlabelkey":"${key}",` })
    await server.call('GET', `${RELEASES}?key=${key}`, { key })
    await server.call('GET', `/feed/editor/stable?key=${key}`, { key })
  }
  await check(server, '0.9.0', { query })
  await check(server, 'nonsense', { query })
  await check(server, '0.9.0', { query: `?l.qqlabelkey!=qqlabelvalue` })
  await settled(26)
  // Failures of our own are logged with their cause.
  const store = server.catalog.store as SqliteCatalogStore
  store.close()
  await server.call('POST', '/api/v1/fleet/decisions', { body: { app: 'editor', devices } })
  await server.call('GET', `${RELEASES}?key=${server.key}`)
  await check(server, '0.9.0', { query: '?l.qqlabelkey/one=qqlabelvalue-one' })
  await settled(29)
  await server.stop()

  expect(text()).toContain('is closed')
  for (const key of [server.key, scoped, revoked, wrong]) {
    expect(text()).not.toContain(key.slice(3, 11))
    expect(text()).not.toContain(key.slice(-8))
  }
  expect(text()).not.toMatch(/authorization|bearer/i)
  expect(text()).not.toMatch(/qqlabel|qqother|qqsecret|\?/)
})

test('only the log has the cause of an internal error', async () => {
  const { server, lines } = await startLogging('error')
  const store = server.catalog.store as SqliteCatalogStore
  store.close()
  const answer = await server.call('GET', RELEASES)
  expect(answer.text).toBe('{"error":"internal error"}')
  // The catalog's own look at the database may have failed before.
  expect(lines().filter(({ msg }) => msg === 'request failed')).toMatchObject([
    {
      level: 50,
      method: 'GET',
      path: RELEASES,
      err: { type: 'StorageError', stack: expect.stringContaining('is closed') },
    },
  ])
})
