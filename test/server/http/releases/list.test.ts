import { expect, test, vi } from 'vitest'
import { createApp, createChannel } from '../../../../src/server/catalog/apps.ts'
import { requireApp, requireChannel } from '../../../../src/server/catalog/catalog.ts'
import { publishRelease } from '../../../../src/server/catalog/releases/publish.ts'
import { PublishBody } from '../../../../src/shared/releases/release.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { check, expectError, publish, RELEASES } from '../../../support/servers/calls.ts'
import { openElsewhere } from '../../../support/servers/catalog.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

async function list(server: TestServer, query = '', key = server.key) {
  const { status, body } = await server.call('GET', `${RELEASES}${query}`, { key })
  expect(status, body.error).toBe(200)
  const { releases, ...paging } = body
  const versions = releases.map((release: { version: string }) => release.version)
  return { versions, paging }
}

/** The apps `editor` and `player`, each with `stable` and `beta`, and a release on each of the four. */
async function startWithFour(): Promise<TestServer> {
  const server = await startWithApp()
  await createApp(server.catalog, ACTOR, { ref: 'player' })
  for (const app of ['editor', 'player']) {
    await createChannel(server.catalog, ACTOR, { app, name: 'beta' })
  }
  await publish(server, '1.0.0')
  await publish(server, '2.0.0', { channel: 'beta' })
  await publish(server, '3.0.0', { app: 'player' })
  await publish(server, '4.0.0', { app: 'player', channel: 'beta' })
  return server
}

test('the list is newest first by time, not by version, and shows every status', async () => {
  const server = await startWithApp()
  for (const version of ['1.0.0', '3.0.0', '2.0.0']) await publish(server, version)
  const pause = { app: 'editor', channel: 'stable', version: '3.0.0', status: 'paused' }
  await server.call('PATCH', RELEASES, { body: pause })
  const { body } = await server.call('GET', RELEASES)
  expect(Object.keys(body).sort()).toEqual(['page', 'pageCount', 'releases', 'total'])
  expect(body.releases.map((release: { version: string }) => release.version)).toEqual([
    '2.0.0',
    '3.0.0',
    '1.0.0',
  ])
  expect(body.releases[1]).toMatchObject({
    status: 'paused',
    offered: false,
    targets: { matchLabels: {}, matchExpressions: [] },
  })
})

test('a listed release includes whether it was offered, and its targets', async () => {
  const server = await startWithApp()
  const targets = { matchLabels: { ring: 'beta' }, matchExpressions: [] }
  await publish(server, '1.0.0')
  await publish(server, '2.0.0', { targets })
  expect((await check(server, '0.9.0')).body.version).toBe('1.0.0')
  const { body } = await server.call('GET', RELEASES)
  expect(body.releases).toMatchObject([
    { version: '2.0.0', offered: false, targets },
    { version: '1.0.0', offered: true },
  ])
})

test('pages hold 20 releases unless per_page says another number', async () => {
  const server = await startWithApp()
  expect((await list(server)).paging).toEqual({ page: 1, pageCount: 0, total: 0 })
  for (let patch = 0; patch < 21; patch++) await publish(server, `1.0.${patch}`)
  const newest = Array.from({ length: 21 }, (_, index) => `1.0.${20 - index}`)

  const first = await list(server)
  expect(first.versions).toEqual(newest.slice(0, 20))
  expect(first.paging).toEqual({ page: 1, pageCount: 2, total: 21 })
  expect(await list(server, '?page=2')).toEqual({
    versions: newest.slice(20),
    paging: { page: 2, pageCount: 2, total: 21 },
  })
  expect(await list(server, '?page=3')).toEqual({
    versions: [],
    paging: { page: 3, pageCount: 2, total: 21 },
  })
  expect(await list(server, '?per_page=7&page=3')).toEqual({
    versions: newest.slice(14),
    paging: { page: 3, pageCount: 3, total: 21 },
  })
  expect((await list(server, '?per_page=100')).versions).toEqual(newest)
  expect((await list(server, '?page=9007199254740991&per_page=100')).versions).toEqual([])
})

test('the list is of one app, one channel, or both', async () => {
  const server = await startWithFour()
  expect((await list(server)).versions).toEqual(['4.0.0', '3.0.0', '2.0.0', '1.0.0'])
  expect(await list(server, '?app=editor')).toEqual({
    versions: ['2.0.0', '1.0.0'],
    paging: { page: 1, pageCount: 1, total: 2 },
  })
  expect(await list(server, '?app=player&channel=stable')).toEqual({
    versions: ['3.0.0'],
    paging: { page: 1, pageCount: 1, total: 1 },
  })
  expect(await list(server, '?channel=beta')).toEqual({
    versions: ['4.0.0', '2.0.0'],
    paging: { page: 1, pageCount: 1, total: 2 },
  })
  expect(await list(server, '?channel=beta&per_page=1&page=2')).toEqual({
    versions: ['2.0.0'],
    paging: { page: 2, pageCount: 2, total: 2 },
  })
  const id = server.catalog.snapshot.appByName.get('editor')?.record.id
  expect((await list(server, `?app=${id}&channel=beta`)).versions).toEqual(['2.0.0'])
})

test('a key restricted to an app lists only releases of that app, with any filter', async () => {
  const server = await startWithFour()
  const key = await server.mint({ app: 'editor' })
  expect((await list(server, '', key)).versions).toEqual(['2.0.0', '1.0.0'])
  expect((await list(server, '?app=editor', key)).versions).toEqual(['2.0.0', '1.0.0'])
  expect((await list(server, '?channel=beta', key)).versions).toEqual(['2.0.0'])
  expect((await list(server, '?app=editor&channel=stable', key)).versions).toEqual(['1.0.0'])
  const other = await server.call('GET', `${RELEASES}?app=player`, { key })
  expect(expectError(other, 404)).toBe('unknown app "player"')
})

test('an unknown app answers 404, and so does an unknown channel', async () => {
  const server = await startWithFour()
  const refuse = async (query: string) =>
    expectError(await server.call('GET', RELEASES + query), 404)
  expect(await refuse('?app=viewer')).toBe('unknown app "viewer"')
  expect(await refuse('?app=editor&channel=nightly')).toBe(
    'unknown channel "nightly" of app "editor"',
  )
  expect(await refuse('?channel=nightly')).toBe('unknown channel "nightly"')
})

test('a query that makes no sense is refused by the name of the parameter', async () => {
  const server = await startWithApp()
  const refusals = [
    ['?page=0', 'page: must be at least 1'],
    ['?page=-1', 'page: must be at least 1'],
    ['?page=1.5', 'page: must be a whole number'],
    ['?page=two', 'page: must be a number'],
    ['?page=', 'page: must be at least 1'],
    ['?page=1&page=2', 'page: must be a number'],
    ['?per_page=0', 'per_page: must be 1 to 100'],
    ['?per_page=101', 'per_page: must be 1 to 100'],
    ['?per_page=all', 'per_page: must be a number'],
    [
      '?version=1.0.0',
      'version: is not a known parameter; use app, channel, page, per_page, cursor',
    ],
    [
      '?app=editor&perPage=5',
      'perPage: is not a known parameter; use app, channel, page, per_page, cursor',
    ],
    ['?=1', 'query: is not a known parameter; use app, channel, page, per_page, cursor'],
    [
      '?__proto__=1',
      '__proto__: is not a known parameter; use app, channel, page, per_page, cursor',
    ],
    ['?app=', 'app: is required'],
    ['?app=editor&app=player', 'app: must be a string'],
    [
      '?channel=Beta',
      'channel: must be 1 to 63 lower-case letters, digits, dots, underscores and hyphens, and start with a letter or digit',
    ],
  ]
  for (const [query, message] of refusals) {
    const answer = await server.call('GET', `${RELEASES}${query}`)
    expect.soft(expectError(answer, 400), query).toBe(message)
  }
})

test('a release is shown by its app, channel and version', async () => {
  const server = await startWithApp()
  const body = { targets: { matchLabels: { ring: 'beta' } }, rolloutPct: 20 }
  const published = await publish(server, '1.0.0-rc.1+build.7', body)
  await publish(server, '1.0.0')
  const id = server.catalog.snapshot.appByName.get('editor')?.record.id
  const show = (place: string, key = server.key) =>
    server.call('GET', `${RELEASES}/${place}`, { key })
  for (const place of [
    'editor/stable/1.0.0-rc.1%2Bbuild.7',
    'editor/stable/v1.0.0-rc.1+build.7',
    `${id}/stable/1.0.0-rc.1%2bbuild.7`,
  ]) {
    const { status, body } = await show(place)
    expect.soft(status, place).toBe(200)
    expect(body).toEqual({ release: published })
  }
  await check(server, '0.9.0')
  expect((await show('editor/stable/1.0.0')).body.release).toMatchObject({ offered: true })

  const refusals: [string, number, string][] = [
    ['viewer/stable/1.0.0', 404, 'unknown app "viewer"'],
    ['editor/beta/1.0.0', 404, 'unknown channel "beta" of app "editor"'],
    ['editor/stable/2.0.0', 404, 'unknown release 2.0.0 of editor/stable'],
    ['editor/stable/1.0.0%2B1', 404, 'unknown release 1.0.0+1 of editor/stable'],
    ['editor/stable/1.0', 400, 'version: must be a semantic version such as 1.4.0 or 2.0.0-rc.1'],
    ['editor/stable/%', 400, "request: Failed to decode param '%'"],
  ]
  for (const [place, status, message] of refusals) {
    expect.soft(expectError(await show(place), status), place).toBe(message)
  }
  const publisher = await server.mint({ scopes: ['publish', 'serve', 'fleet'] })
  expect(expectError(await show('editor/stable/1.0.0', publisher), 403)).toContain('"read"')
  await createApp(server.catalog, ACTOR, { ref: 'player' })
  const other = await server.mint({ app: 'player' })
  expect(expectError(await show('editor/stable/1.0.0', other), 404)).toBe('unknown app "editor"')
})

test('a channel that another process made a moment ago is listed', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const elsewhere = await openElsewhere(server.folder)
  const { store } = server.catalog
  const releasePage = store.releasePage.bind(store)
  // Between the request's own look for changes and its reading of the page.
  vi.spyOn(store, 'releasePage').mockImplementationOnce(async (query) => {
    await createChannel(elsewhere, ACTOR, { app: 'editor', name: 'beta' })
    const channel = requireChannel(requireApp(elsewhere.snapshot, 'editor'), 'beta')
    const { app: _app, channel: _channel, ...body } = PublishBody.parse(publishBody('2.0.0'))
    await publishRelease(elsewhere, ACTOR, channel, body)
    return await releasePage(query)
  })
  const answer = await server.call('GET', RELEASES)
  expect(answer.status).toBe(200)
  expect(answer.body.releases).toMatchObject([
    { channel: 'beta', version: '2.0.0' },
    { channel: 'stable', version: '1.0.0' },
  ])
})

test('with a cursor, every release comes once, whatever is published meanwhile', async () => {
  const server = await startWithFour()
  const app = await server.mint({ app: 'player', name: 'player' })
  let published = 0
  const walk = async (query: string, key: string) => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await server.call('GET', `${RELEASES}?per_page=1${query}${cursor}`, { key })
      const [release] = body.releases
      if (release === undefined) return seen
      seen.push(release.version)
      await publish(server, `5.0.${++published}`, { app: 'player' })
      cursor = `&cursor=${release.id}`
    }
  }
  expect(await walk('', server.key)).toEqual(['4.0.0', '3.0.0', '2.0.0', '1.0.0'])
  expect(await walk('&channel=beta', server.key)).toEqual(['4.0.0', '2.0.0'])
  expect((await walk('', app)).slice(-2)).toEqual(['4.0.0', '3.0.0'])

  const { body } = await server.call('GET', `${RELEASES}?app=editor`)
  const place = `${RELEASES}?cursor=${body.releases[0].id}`
  for (const [query, key] of [
    [`${place}&page=2`, server.key],
    [place, app],
    [`${RELEASES}?cursor=x`, server.key],
  ] as const) {
    expect(expectError(await server.call('GET', query, { key }), 400)).toContain('cursor')
  }
})
