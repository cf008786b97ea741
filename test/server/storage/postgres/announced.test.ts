// @module-tag postgresql

import { expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../../src/server/storage/interface/storage.ts'
import { openStorage } from '../../../../src/server/storage/open-storage.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import { FIRST } from './nodes/set-up.ts'

async function openNode(database: string): Promise<Storage> {
  const storage = await openStorage({ dataFolder: temporaryFolder(), database })
  onTestFinished(() => storage.close())
  return storage
}

test('a node that was announced is found, and lists itself as it is', async () => {
  const storage = await openNode(await freshDatabase({ prepared: true }))
  storage.setServed('catalog', FIRST.catalog)
  storage.setServed('people', FIRST.people)
  await storage.startServing()
  const address = 'http://127.0.0.1:1'
  await storage.announce(address)
  const listed = storage.nodes?.list().nodes ?? []
  expect(listed).toMatchObject([{ address, own: true, behind: { catalog: 0, people: 0 } }])
  expect(listed[0]?.leaseLeft).toBeGreaterThan(0)
  expect(await storage.engine.holder()).toMatchObject({ address, pid: process.pid })
})
