import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { hasStatusToken } from '../../../../src/server/http/request/auth.ts'
import type { SqliteCatalogStore } from '../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { STATUS_TOKEN_HEADER } from '../../../../src/shared/operation/readiness.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { publish } from '../../../support/servers/calls.ts'
import { engineOf, isOnPostgres } from '../../../support/servers/engine.ts'
import { startServer, startWithApp } from '../../../support/servers/server.ts'

test('a live server says so without a key', async () => {
  const server = await startWithApp()
  const answer = await server.call('GET', '/healthz/live', { key: null })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    status: 'live',
    version: expect.any(String),
    uptimeSeconds: expect.any(Number),
  })
})

test('strangers hear the state, but neither paths nor sizes', async () => {
  const server = await startWithApp()
  const answer = await server.call('GET', '/healthz/ready', { key: null })
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    status: 'ready',
    version: expect.any(String),
    uptimeSeconds: expect.any(Number),
    database: { state: 'current', file: 'ok' },
    // Nobody tells about the disk of a database server.
    disk: { state: isOnPostgres ? 'unknown' : 'ok' },
    telemetry: { state: 'ok' },
    backups: { state: 'ok' },
    certificate: null,
    log: { state: 'ok' },
  })
})

/** The token that a server has stored beside its data for programs that can read them. */
async function tokenIn(folder: string): Promise<string> {
  const holder = await (await engineOf(folder)).holder()
  return holder?.statusToken ?? ''
}

test('keys for all apps that may read get details', async () => {
  const server = await startWithApp()
  const details = async (key: string) => {
    const answer = await server.call('GET', '/healthz/ready', { key })
    return [answer.status, answer.body?.details?.dataFolder]
  }
  expect(await details(await server.mint({ scopes: ['read'] }))).toEqual([200, server.folder])
  const ofApp = await server.mint({ scopes: ['read'], app: 'editor' })
  expect(await details(ofApp)).toEqual([200, undefined])
  expect(await details(await server.mint({ scopes: ['publish'] }))).toEqual([403, undefined])
  expect(await details('tg_wrong')).toEqual([401, undefined])
})

test('this computer gets details only with the token beside the data', async () => {
  const server = await startWithApp()
  const details = async (headers: Record<string, string>) => {
    const answer = await server.call('GET', '/healthz/ready', { key: null, headers })
    expect(answer).toMatchObject({ status: 200, body: { status: 'ready' } })
    return answer.body.details
  }
  const token = await tokenIn(server.folder)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await details({ [STATUS_TOKEN_HEADER]: token })).toMatchObject({
    dataFolder: server.folder,
  })
  // As a proxy on this computer passes on the request of a stranger.
  expect(new URL(server.address).hostname).toBe('127.0.0.1')
  expect(await details({})).toBeUndefined()
  const wrong = ['', 'x', `${token}x`, token.slice(1), token.toUpperCase(), `${token}, ${token}`]
  for (const given of wrong) expect(await details({ [STATUS_TOKEN_HEADER]: given })).toBeUndefined()
})

test('a token works for one run of the server only', async () => {
  const dataFolder = temporaryFolder()
  const first = await startWithApp({ dataFolder })
  const before = await tokenIn(dataFolder)
  await first.stop()
  expect(await tokenIn(dataFolder)).toBe('')
  const server = await startServer({ dataFolder })
  const after = await tokenIn(dataFolder)
  const details = async (token: string) => {
    const headers = { [STATUS_TOKEN_HEADER]: token }
    return (await server.call('GET', '/healthz/ready', { key: null, headers })).body.details
  }
  expect(await details(before)).toBeUndefined()
  expect(await details(after)).toMatchObject({ dataFolder })
})

test('a server whose database does not answer is live, but not ready', async () => {
  const server = await startWithApp()
  const store = server.catalog.store as SqliteCatalogStore
  store.close()
  const answer = await server.call('GET', '/healthz/ready', { key: null })
  expect([answer.status, answer.body.status]).toEqual([503, 'not_ready'])
  expect(answer.body.database).toEqual({ state: 'failing', file: 'ok' })
  expect((await server.call('GET', '/healthz/live', { key: null })).status).toBe(200)
})

test('a server that cannot load changes is not ready', async () => {
  const server = await startWithApp()
  const store = server.catalog.store as SqliteCatalogStore
  vi.spyOn(store, 'revision').mockResolvedValue(server.catalog.snapshot.revision + 1)
  vi.spyOn(store, 'changesSince').mockRejectedValue(new Error('disk I/O error'))
  const answer = await server.call('GET', '/healthz/ready', { key: null })
  expect([answer.status, answer.body.database.state]).toEqual([503, 'stale'])
  // Health keeps its contract: the database answers.
  expect((await server.call('GET', '/healthz', { key: null })).status).toBe(200)
})

test('low disk space is shown, and changes nothing about being ready', async () => {
  const disk = { freeBytes: async () => 1_000, interval: 60_000 }
  const server = await startWithApp({ budgets: { minFreeDiskMiB: 1 } }, undefined, { disk })
  const answer = await server.call('GET', '/healthz/ready')
  expect([answer.status, answer.body.disk.state]).toEqual([200, 'low'])
  expect(answer.body.details).toMatchObject({ freeBytes: 1_000, minFreeBytes: 1_048_576 })
})

test.each([
  ['right', true],
  ['rigth', false],
  ['right-and-more', false],
  ['', false],
])('the token "%s" is accepted: %s', (given, expected) => {
  const headers = { [STATUS_TOKEN_HEADER]: given }
  expect(hasStatusToken({ headers }, { statusToken: 'right' })).toBe(expected)
})

test('no token, and two of them, are none', () => {
  expect(hasStatusToken({ headers: {} }, { statusToken: 'undefined' })).toBe(false)
  const headers = { [STATUS_TOKEN_HEADER]: ['right', 'right'] }
  expect(hasStatusToken({ headers }, { statusToken: 'right' })).toBe(false)
})

const { version } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
)

/** What a server tells of its part in a database that several can share. */
const NODE = {
  ...{ name: expect.any(String), lease: 'ok', nodes: 1 },
  changesBehind: expect.any(Number),
}

test('health returns the version and the state of the database', async () => {
  const server = await startWithApp()
  const before = await server.call('GET', '/healthz', { key: null })
  expect(before.status).toBe(200)
  expect(before.headers.get('cache-control')).toBe('no-store')
  expect(before.body).toEqual({
    status: 'ok',
    version,
    database: { state: 'ok', revision: expect.any(Number), file: 'ok' },
    certificate: null,
    telemetry: { state: 'ok', queued: 0, lost: 0 },
    log: { state: 'ok', lost: 0 },
    budgets: [],
    ...(isOnPostgres ? { node: NODE } : {}),
  })
  await publish(server, '1.0.0')
  const after = await server.call('GET', '/healthz', { key: null })
  expect(after.body.database.revision).toBeGreaterThan(before.body.database.revision)
})

test('health answers 503 while the database does not answer', async () => {
  const server = await startWithApp()
  const store = server.catalog.store as SqliteCatalogStore
  store.close()
  const answer = await server.call('GET', '/healthz', { key: null })
  expect(answer.status).toBe(503)
  expect(answer.body).toMatchObject({
    status: 'failing',
    version,
    database: { state: 'failing', revision: null },
  })
})

test('health queries the database at most once per second', async () => {
  const server = await startWithApp()
  const store = server.catalog.store as SqliteCatalogStore
  const revision = vi.spyOn(store, 'revision')
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => server.call('GET', '/healthz', { key: null })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(revision.mock.calls.length).toBeLessThan(20)
})
