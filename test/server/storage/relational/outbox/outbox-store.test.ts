import { expect, test } from 'vitest'
import { dataFile } from '../../../../../src/server/storage/sqlite/database.ts'
import {
  createSqliteCatalogStore,
  createSqliteOutboxStore,
  createSqlitePeopleStore,
} from '../../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { preparedFolder } from '../../../../support/builders/folders.ts'
import { noticesContract } from './notices.contract.ts'
import { outboxStoreContract } from './outbox-store.contract.ts'

const make = async () => {
  const file = dataFile(preparedFolder())
  const [one, other] = [open(file), open(file)]
  const close = async () => {
    await Promise.all([one.close(), other.close()])
  }
  return { ...one, other: other.store, close }
}

outboxStoreContract('an outbox in SQLite', make)
noticesContract('notices in SQLite', make)

function open(file: string) {
  const catalog = createSqliteCatalogStore(file)
  const people = createSqlitePeopleStore(file, catalog.transactions)
  const store = createSqliteOutboxStore(file, catalog.transactions)
  const close = async () => {
    store.close()
    people.close()
    await catalog.close()
  }
  return { catalog, people, store, close }
}

test('a closed store rejects with closed', async () => {
  const { store, close } = open(dataFile(preparedFolder()))
  await close()
  await expect(store.webhooks()).rejects.toMatchObject({ code: 'closed' })
  await expect(store.transact(async () => {})).rejects.toMatchObject({ code: 'closed' })
})
