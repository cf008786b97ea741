import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SqliteCatalogStore } from '../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { freePort } from '../support/processes/ports.ts'
import { startWithApp } from '../support/servers/server.ts'

const PROGRAM = join(import.meta.dirname, '../../build/container/health.mjs')

/** Returns whether the health check succeeds. */
function isHealthy(folder: string): Promise<boolean> {
  const env = { ...process.env, TIDEGATE_DATA: folder }
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM], { env }, (error) => resolve(error === null))
  })
}

test('a container is healthy while its server answers, also without its database', async () => {
  const server = await startWithApp()
  expect(await isHealthy(server.folder)).toBe(true)
  const store = server.catalog.store as SqliteCatalogStore
  store.close()
  expect((await server.call('GET', '/healthz', { key: null })).status).toBe(503)
  expect(await isHealthy(server.folder)).toBe(true)
})

test('a container is not healthy before its server listens, and when it is gone', async () => {
  const folder = temporaryFolder()
  expect(await isHealthy(folder)).toBe(false)
  const note = (address: string | null) =>
    writeFileSync(join(folder, 'server.json'), JSON.stringify({ address }))
  note(null)
  expect(await isHealthy(folder)).toBe(false)
  note(`http://127.0.0.1:${await freePort()}`)
  expect(await isHealthy(folder)).toBe(false)
})
