import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import { requireApp, requireChannel } from '../../../../src/server/catalog/catalog.ts'
import { EVERY_DEVICE } from '../../../../src/shared/releases/targets.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { expectError, publish, serve } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

function feed(server: TestServer, query = '', headers: Record<string, string> = {}) {
  return server.call('GET', `/feed/editor/stable${query}`, { key: null, headers })
}

const versionsOf = (body: { releases: { version: string }[] }) =>
  body.releases.map(({ version }) => version)

/** Releases in one transaction: PostgreSQL ends those that take long. */
const AT_ONCE = 100

/** Publishes 1.0.0, 1.0.1 … a second apart; answers them newest first. */
async function publishMany({ catalog }: TestServer, count: number): Promise<string[]> {
  const { app, record } = requireChannel(requireApp(catalog.snapshot, 'editor'), 'stable')
  const versions = Array.from({ length: count }, (_, patch) => `1.0.${patch}`)
  for (let first = 0; first < count; first += AT_ONCE) {
    await catalog.change(async (tx) => {
      for (const [index, version] of versions.slice(first, first + AT_ONCE).entries()) {
        await tx.insertRelease({
          id: catalog.newId(),
          appKey: app.key,
          channelKey: record.key,
          version,
          notes: `Notes of ${version} ✨`,
          status: 'published',
          awaitsProof: false,
          rolloutPct: 100,
          targets: EVERY_DEVICE,
          createdAt: new Date(Date.UTC(2026, 0, 1) + (first + index) * 1_000).toISOString(),
          artifacts: [{ ...artifact(), kind: '', size: 0, signature: '' }],
        })
      }
    })
  }
  return versions.reverse()
}

/** Follows the links of a feed from page to page, and answers the versions of each. */
async function walk(server: TestServer, query: string): Promise<string[][]> {
  const pages: string[][] = []
  for (let next: string | undefined = query; next !== undefined; ) {
    const { status, headers, body } = await feed(server, next)
    expect(status).toBe(200)
    pages.push(versionsOf(body))
    next = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  }
  return pages
}

test('the feed is the newest 100 releases, and is paged by links, limit and before', async () => {
  const server = await startWithApp()
  const newestFirst = await publishMany(server, 1_234)
  const first = await feed(server)
  expect(Object.keys(first.body)).toEqual(['app', 'channel', 'releases'])
  expect(versionsOf(first.body)).toEqual(newestFirst.slice(0, 100))
  expect(first.headers.get('access-control-expose-headers')).toBe('ETag, Link')
  const pages = await walk(server, '')
  expect(pages.map(({ length }) => length)).toEqual([...Array(12).fill(100), 34])
  expect(pages.flat()).toEqual(newestFirst)
  const third = newestFirst[2] ?? ''
  expect(versionsOf((await feed(server, '?limit=3')).body)).toEqual(newestFirst.slice(0, 3))
  const { body, headers } = await feed(server, `?limit=2&before=v${third}`)
  expect(versionsOf(body)).toEqual(newestFirst.slice(3, 5))
  expect(headers.get('link')).toBe(`<?limit=2&before=${newestFirst[4]}>; rel="next"`)
  const last = await feed(server, '?before=1.0.1')
  expect(versionsOf(last.body)).toEqual(['1.0.0'])
  expect(last.headers.get('link')).toBeNull()
  expect((await feed(server, '?before=1.0.0')).body.releases).toEqual([])
})

test('the feed has an ETag for each page and each encoding of it', async () => {
  const server = await startWithApp()
  await publishMany(server, 102)
  const etags = new Set<string | null>()
  for (const query of ['', '?limit=99', '?before=1.0.50', '?before=1.0.51']) {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const { headers } = await feed(server, query, { 'Accept-Encoding': encoding })
      expect(headers.get('content-encoding') ?? 'identity').toBe(encoding)
      expect(headers.get('vary')).toBe('Accept-Encoding')
      const etag = headers.get('etag') ?? ''
      etags.add(etag)
      const known = { 'Accept-Encoding': encoding, 'If-None-Match': etag }
      const again = await feed(server, query, known)
      expect(again).toMatchObject({ status: 304, text: '' })
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('vary')).toBe('Accept-Encoding')
      const other = await feed(server, query, { ...known, 'Accept-Encoding': 'deflate' })
      expect(other.status).toBe(encoding === 'identity' ? 304 : 200)
    }
  }
  expect(etags.size).toBe(12)
})

test('an invalid parameter is named, and an unknown one is ignored', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const refusals = [
    ['?limit=0', 'limit: must be 1 to 100'],
    ['?limit=101', 'limit: must be 1 to 100'],
    ['?limit=', 'limit: must be 1 to 100'],
    ['?limit=1.5', 'limit: must be a whole number'],
    ['?limit=all', 'limit: must be a number'],
    ['?limit=1&limit=2', 'limit: must be a number'],
    ['?before=one', 'before: must be a semantic version such as 1.4.0 or 2.0.0-rc.1'],
    ['?before=2.0.0', 'before: must be a release of editor/stable'],
  ]
  for (const [query, message] of refusals) {
    const answer = await feed(server, query)
    expect.soft(expectError(answer, 400), query).toBe(message)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  }
  expect(versionsOf((await feed(server, '?_=1763766000&__proto__=1')).body)).toEqual(['1.0.0'])
})

test('paging goes on after a release that is no longer published', async () => {
  const server = await startWithApp()
  for (const version of ['1.0.0', '2.0.0+7', '3.0.0']) await publish(server, version)
  expect(await walk(server, '?limit=1')).toEqual([['3.0.0'], ['2.0.0+7'], ['1.0.0']])
  await serve(server, '2.0.0+7', { status: 'paused' })
  expect(versionsOf((await feed(server, '?before=2.0.0%2B7')).body)).toEqual(['1.0.0'])
  await serve(server, '1.0.0', { status: 'rolled_back' })
  expect((await feed(server, '?before=1.0.0')).body.releases).toEqual([])
})

test('a page follows changes of its releases, and ignores those of other channels', async () => {
  const server = await startWithApp()
  await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
  await publish(server, '1.0.0', { rolloutPct: 10 })
  await publish(server, '2.0.0')
  const second = async () => (await feed(server, '?limit=1&before=2.0.0')).headers.get('etag')
  const before = await second()
  await publish(server, '3.0.0', { channel: 'beta' })
  await serve(server, '2.0.0', { rolloutPct: 100 })
  await publish(server, '4.0.0')
  expect(await second()).toBe(before)
  await serve(server, '1.0.0', { rolloutPct: 20 })
  expect(await second()).not.toBe(before)
  const { body } = await feed(server, '?limit=1&before=2.0.0')
  expect(body.releases[0]).toMatchObject({ version: '1.0.0', rolloutPct: 20 })
})

test('the feed is compressed as the caller prefers, with the same content', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0', { notes: '# Grüße ✨\n'.repeat(2_000) })
  const url = `${server.address}/feed/editor/stable`
  const decoders = { gzip: createGunzip, br: createBrotliDecompress }
  const ask = (accepted: string | undefined, method = 'GET') =>
    new Promise<{ encoding: string; length: number; content: string }>((resolve, reject) => {
      const headers = accepted === undefined ? {} : { 'Accept-Encoding': accepted }
      get(url, { method, headers }, (response) => {
        const { 'content-encoding': encoding = 'identity', 'content-length': length } =
          response.headers
        const decoder = method === 'HEAD' ? undefined : decoders[encoding as keyof typeof decoders]
        const body = decoder === undefined ? response : response.pipe(decoder())
        text(body).then((content) => resolve({ encoding, length: Number(length), content }), reject)
      }).on('error', reject)
    })
  const plain = await ask(undefined)
  expect(plain.encoding).toBe('identity')
  expect(JSON.parse(plain.content).releases[0].version).toBe('1.0.0')
  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['gzip;q=0.5, br;q=0.9', 'br'],
    ['gzip;q=0, *', 'br'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['*;q=0.1', 'gzip'],
    ['identity, gzip;q=0.5', 'identity'],
    ['gzip;q=0, br;q=0', 'identity'],
    ['deflate', 'identity'],
    ['', 'identity'],
  ] as const) {
    const answer = await ask(accepted)
    expect.soft(answer.encoding, accepted).toBe(encoding)
    expect(answer.content).toBe(plain.content)
    expect(answer.length < plain.length / 10).toBe(encoding !== 'identity')
    expect(await ask(accepted, 'HEAD')).toEqual({ ...answer, content: '' })
  }
})
