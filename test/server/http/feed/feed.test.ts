import { expect, test } from 'vitest'
import { createApp, createChannel } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { check, expectError, publish, RELEASES, serve } from '../../../support/servers/calls.ts'
import { startServer, startWithApp, type TestServer } from '../../../support/servers/server.ts'

function feed(server: TestServer, headers: Record<string, string> = {}, path = 'editor/stable') {
  return server.call('GET', `/feed/${path}`, { key: null, headers })
}

const versionsOf = (body: { releases: { version: string }[] }) =>
  body.releases.map(({ version }) => version)

test('the feed lists only published releases, newest first, with nine fields each', async () => {
  const server = await startWithApp()
  const notes = '# 1.0\n\n- <b>first</b> 🚀'
  const targets = { matchLabels: { ring: 'beta' } }
  const {
    targets: _targets,
    offered: _offered,
    ...shown
  } = await publish(server, '1.0.0', {
    notes,
    rolloutPct: 30,
    targets,
    artifacts: [artifact({ size: 7, signature: 's' })],
  })
  for (const version of ['3.0.0', '2.0.0', '4.0.0', '5.0.0']) await publish(server, version)
  await serve(server, '3.0.0', { status: 'paused' })
  await serve(server, '4.0.0', { status: 'rolled_back' })
  await serve(server, '5.0.0', { rolloutPct: 0 })

  const { status, headers, body } = await feed(server)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(Object.keys(body)).toEqual(['app', 'channel', 'releases'])
  expect(body).toMatchObject({ app: 'editor', channel: 'stable' })
  expect(versionsOf(body)).toEqual(['5.0.0', '2.0.0', '1.0.0'])
  const artifacts = [artifact({ size: 7, signature: 's' })]
  expect(body.releases[2]).toEqual({ ...shown, artifacts })
  expect(Object.keys(body.releases[2]).sort()).toEqual(
    ['id', 'app', 'channel', 'version', 'notes', 'status']
      .concat(...['rolloutPct', 'createdAt', 'artifacts'])
      .sort(),
  )
  await serve(server, '3.0.0', { status: 'published' })
  expect(versionsOf((await feed(server)).body)).toEqual(['5.0.0', '2.0.0', '3.0.0', '1.0.0'])
})

test('pages of every origin may read the feed, and caches keep it for a minute', async () => {
  const server = await startWithApp()
  const { headers } = await feed(server, { Origin: 'https://studio.example' })
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('cache-control')).toBe('public, max-age=60')
  expect(headers.get('set-cookie')).toBeNull()

  const preflight = await server.call('OPTIONS', '/feed/editor/stable', {
    key: null,
    headers: {
      Origin: 'https://studio.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'If-None-Match',
    },
  })
  expect(preflight).toMatchObject({ status: 204, text: '' })
  expect(Object.fromEntries(preflight.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': expect.stringContaining('GET'),
    'access-control-allow-headers': '*',
  })

  const unknown = await feed(server, {}, 'viewer/stable')
  expect(unknown.headers.get('access-control-allow-origin')).toBe('*')
  const elsewhere = await server.call('GET', RELEASES)
  expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull()
})

test('a feed that has not changed is answered 304 without a body', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const first = await feed(server)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]+"$/)
  expect((await feed(server)).headers.get('etag')).toBe(etag)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await feed(server, { 'If-None-Match': known })
    expect(answer).toMatchObject({ status: 304, text: '' })
    expect(answer.headers.get('etag')).toBe(etag)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  }
  expect((await feed(server, { 'If-None-Match': '"other"' })).status).toBe(200)
})

test('its ETag changes exactly when the content of the feed changes', async () => {
  const server = await startWithApp()
  await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
  const etags: (string | null)[] = []
  const note = async () => etags.push((await feed(server)).headers.get('etag'))
  await note()
  await publish(server, '1.0.0', { rolloutPct: 10 })
  await note()
  await serve(server, '1.0.0', { rolloutPct: 100 })
  await note()
  await publish(server, '2.0.0')
  await note()
  await serve(server, '2.0.0', { status: 'paused' })
  await note()
  await serve(server, '1.0.0', { status: 'rolled_back' })
  await note()
  // Without 2.0.0 it is as it was before 2.0.0, and then empty as at first.
  expect(etags.slice(4)).toEqual([etags[2], etags[0]])
  expect(new Set(etags).size).toBe(4)

  await serve(server, '2.0.0', { status: 'published' })
  const { headers } = await feed(server)
  await check(server, '0.9.0')
  await publish(server, '3.0.0', { channel: 'beta' })
  await serve(server, '2.0.0', { targets: { matchLabels: {} } })
  expect((await feed(server)).headers.get('etag')).toBe(headers.get('etag'))
})

test('a restarted server gives the same ETag for the same feed', async () => {
  const first = await startWithApp()
  await publish(first, '1.0.0')
  const etag = (await feed(first)).headers.get('etag')
  await first.stop()
  const second = await startServer({ dataFolder: first.folder })
  expect((await feed(second)).headers.get('etag')).toBe(etag)
})

test('an app is named by ref or id, and each channel has a feed of its own', async () => {
  const server = await startWithApp()
  const { id } = await createApp(server.catalog, ACTOR, { ref: 'player' })
  await createChannel(server.catalog, ACTOR, { app: 'player', name: 'beta' })
  await publish(server, '1.0.0', { app: 'player' })
  await publish(server, '2.0.0', { app: 'player', channel: 'beta' })
  expect((await feed(server, {}, `${id}/beta`)).body).toMatchObject({
    app: 'player',
    channel: 'beta',
    releases: [{ version: '2.0.0', app: 'player', channel: 'beta' }],
  })
  expect(versionsOf((await feed(server, {}, 'player/stable')).body)).toEqual(['1.0.0'])
  expect((await feed(server)).body).toEqual({ app: 'editor', channel: 'stable', releases: [] })
})

test('an unknown app and an unknown channel answer 404, which no cache keeps as a feed', async () => {
  const server = await startWithApp()
  const app = await feed(server, {}, 'viewer/stable')
  expect(expectError(app, 404)).toBe('unknown app "viewer"')
  const channel = await feed(server, {}, 'editor/beta')
  expect(expectError(channel, 404)).toBe('unknown channel "beta" of app "editor"')
  for (const { headers } of [app, channel]) expect(headers.get('cache-control')).toBe('no-store')
})

test('the feed requires no key and ignores one', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  for (const key of [null, 'tg_wrong', server.key]) {
    const answer = await server.call('GET', '/feed/editor/stable', { key })
    expect(answer.status).toBe(200)
    expect(versionsOf(answer.body)).toEqual(['1.0.0'])
  }
})
