// @module-tag postgresql

import { expect, onTestFinished, test } from 'vitest'
import type { Storage } from '../../../../src/server/storage/interface/storage.ts'
import { openStorage } from '../../../../src/server/storage/open-storage.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import { newApp, newChannel } from '../relational/catalog/catalog-contract/subject.ts'
import { AT } from '../shared/stored-fleet/subject.ts'
import { storedFleetContract } from '../shared/stored-fleet.contract.ts'
import { FIRST } from './nodes/set-up.ts'

storedFleetContract('the fleet of PostgreSQL', async () => {
  const config = {
    dataFolder: temporaryFolder(),
    database: await freshDatabase({ prepared: true }),
  }
  const clock = { now: AT }
  const open = async () => {
    const storage = await openStorage(config)
    const fleet = await storage.openFleet({
      onFailure: (error) => expect.fail(String(error)),
      clock: () => clock.now,
    })
    const close = async () => {
      await fleet.stop()
      await storage.close()
    }
    return { storage, fleet, close }
  }
  let opened = await open()
  onTestFinished(() => opened.close())
  const restart = async () => {
    await opened.close()
    opened = await open()
    return opened.fleet
  }
  const keys = await opened.storage.catalog.transact(async (tx) => {
    const app = await tx.insertApp(newApp('editor'))
    const otherApp = await tx.insertApp(newApp('player'))
    const stable = await tx.insertChannel(newChannel(app, 'stable'))
    const beta = await tx.insertChannel(newChannel(app, 'beta'))
    const otherStable = await tx.insertChannel(newChannel(otherApp, 'stable'))
    return {
      ...{ app: app.key, otherApp: otherApp.key },
      ...{ stable: stable.key, beta: beta.key, otherStable: otherStable.key },
    }
  })
  return {
    ...{ fleet: opened.fleet, clock, restart, ...keys },
    audit: (entry) => opened.storage.catalog.transact((tx) => tx.appendAudit(entry)),
  }
})

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
