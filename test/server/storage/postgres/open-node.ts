import { onTestFinished } from 'vitest'
import { Changes } from '../../../../src/server/storage/postgres/changes/changes.ts'
import { PostgresDatabase } from '../../../../src/server/storage/postgres/connection/database.ts'
import {
  type PostgresStores,
  postgresCatalogStore,
  postgresPart,
} from '../../../../src/server/storage/postgres/engine/postgres-stores.ts'
import type { PartOptions } from '../../../../src/server/storage/postgres/transactions/transactions.ts'
import { outboxStore, peopleStore } from '../../../../src/server/storage/relational/stores.ts'

/** What a node keeps in PostgreSQL, without the node. */
export interface OpenNode extends PostgresStores {
  readonly database: PostgresDatabase
  close(): Promise<void>
}

/** Opens the stores of a prepared database. Nobody closes them. */
export async function openNode(url: string, options: PartOptions = {}): Promise<OpenNode> {
  const database = new PostgresDatabase(url)
  const changes = await Changes.open(database)
  const catalog = postgresCatalogStore(postgresPart(database, changes, 'catalog', options))
  const people = peopleStore(postgresPart(database, changes, 'people', options))
  const outbox = outboxStore(postgresPart(database, changes, 'outbox', options))
  const close = async () => {
    await Promise.all([catalog.close(), people.close(), outbox.close()])
    await changes.close()
    await database.close()
  }
  return { database, changes, catalog, people, outbox, close }
}

/** The same until the end of the test. */
export async function testNode(url: string, options: PartOptions = {}): Promise<OpenNode> {
  const node = await openNode(url, options)
  onTestFinished(node.close)
  return node
}
