import { expect, test } from 'vitest'
import { dataFile } from '../../../../../src/server/storage/sqlite/database.ts'
import {
  createSqliteCatalogStore,
  createSqlitePeopleStore,
} from '../../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { preparedFolder } from '../../../../support/builders/folders.ts'
import { peopleStoreContract } from './people-store.contract.ts'

for (const thread of [false, true]) {
  const where = thread ? 'on a thread of its own' : 'on the calling thread'
  peopleStoreContract(`people in SQLite that are written ${where}`, async () => {
    const file = dataFile(preparedFolder())
    const [one, two] = [open(file, thread), open(file, thread)]
    const actions = async () => {
      const entries = await one.catalog.audit({ limit: 100 })
      return entries.map(({ action }) => action).reverse()
    }
    const close = async () => {
      await Promise.all([one.close(), two.close()])
    }
    return { store: one.store, other: two.store, actions, close }
  })
}

function open(file: string, thread: boolean) {
  const catalog = createSqliteCatalogStore(file, { thread })
  const store = createSqlitePeopleStore(file, catalog.transactions)
  const close = async () => {
    store.close()
    await catalog.close()
  }
  return { catalog, store, close }
}

test('a closed store rejects with closed', async () => {
  const { store, close } = open(dataFile(preparedFolder()), false)
  await close()
  await expect(store.stateUnless(0)).rejects.toMatchObject({ code: 'closed' })
  await expect(store.transact(async () => {})).rejects.toMatchObject({ code: 'closed' })
})
