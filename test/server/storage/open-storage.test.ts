import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import {
  attachStorage,
  openStorage,
  storageEngine,
} from '../../../src/server/storage/open-storage.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { storageFailure } from '../../support/servers/database.ts'

const AT = '2026-03-14T09:26:53.589Z'

test('a server has its storage for itself, until it closes it', async () => {
  const config = { dataFolder: temporaryFolder() }
  const storage = await openStorage(config)
  await storageFailure('locked', () => openStorage(config))
  await storage.announce('http://127.0.0.1:1')
  expect(await storage.engine.holder()).toMatchObject({ address: 'http://127.0.0.1:1' })
  await storage.close()
  await (await openStorage(config)).close()
})

test('a storage that could not be opened is free again', async () => {
  const dataFolder = temporaryFolder()
  const { location } = storageEngine({ dataFolder })
  writeFileSync(location, 'x'.repeat(5_000))
  await storageFailure('not_a_database', () => openStorage({ dataFolder }))
  rmSync(location)
  await (await openStorage({ dataFolder })).close()
})

test('a command learns when its change is served, or that no server runs', async () => {
  const config = { dataFolder: temporaryFolder() }
  const storage = await openStorage(config)
  const attached = await attachStorage(config)
  onTestFinished(() => attached.close())
  const createdAt = AT
  await attached.catalog.transact((tx) =>
    tx.insertApp({ id: 'a', ref: 'editor', name: 'Editor', createdAt }),
  )
  const revision = await attached.catalog.revision()
  expect(await attached.confirmed('catalog', revision, 20)).toBe(false)
  storage.setServed('people', revision)
  expect(await attached.confirmed('catalog', revision, 20)).toBe(false)
  storage.setServed('catalog', revision)
  expect(await attached.confirmed('catalog', revision, 5_000)).toBe(true)
  await storage.endServing()
  expect(await attached.confirmed('catalog', revision + 1, 5_000)).toBe(true)
  await storage.close()
})

test('the only server may always serve, and no other one has to acknowledge a change', async () => {
  const storage = await openStorage({ dataFolder: temporaryFolder() })
  expect(storage.mayServe()).toBe(true)
  expect(await storage.acknowledged('catalog', 1_000)).toBe(true)
  await storage.close()
})

test('the server leads until its storage closes', async () => {
  const storage = await openStorage({ dataFolder: temporaryFolder() })
  const led = storage.leadership('backups').run(async (lost) => {
    expect(lost.aborted).toBe(false)
    await new Promise((resolve) => lost.addEventListener('abort', resolve, { once: true }))
    return 'stopped'
  })
  await storage.close()
  expect(await led).toBe('stopped')
  await storage.leadership('backups').run(async (lost) => expect(lost.aborted).toBe(true))
})

test('an engine at rest creates nothing', async () => {
  const engine = storageEngine({ dataFolder: temporaryFolder() })
  expect(await engine.exists()).toBe(false)
  expect(await engine.version()).toBe(0)
  expect(await engine.holder()).toBeUndefined()
  expect(existsSync(engine.location)).toBe(false)
})
