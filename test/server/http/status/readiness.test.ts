import { expect, test, vi } from 'vitest'
import type { SqliteCatalogStore } from '../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { STATUS_TOKEN_HEADER } from '../../../../src/shared/readiness.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
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
