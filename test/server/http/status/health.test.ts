import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import type { SqliteCatalogStore } from '../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { publish } from '../../../support/servers/calls.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { startWithApp } from '../../../support/servers/server.ts'

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
