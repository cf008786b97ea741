import type { OpenedParts } from './opened-parts.ts'
import { PostgresCatalogStore } from './postgres/catalog/catalog-store.ts'
import { Changes } from './postgres/changes/changes.ts'
import type { PostgresDatabase } from './postgres/connection/database.ts'
import { PostgresOutboxStore } from './postgres/outbox/outbox-store.ts'
import { PostgresPeopleStore } from './postgres/people/people-store.ts'
import type { PartOptions } from './postgres/transactions/transactions.ts'

/** The stores of one database, which hear what other processes change in it. */
export interface PostgresStores {
  readonly changes: Changes
  readonly catalog: PostgresCatalogStore
  readonly people: PostgresPeopleStore
  readonly outbox: PostgresOutboxStore
}

/** Opens the stores, and gives each to `opened`, which closes it. `options`: of those
 * that leaders write to. Rejects with `StorageError`. */
export async function openStores(
  database: PostgresDatabase,
  opened: OpenedParts,
  options: PartOptions = {},
): Promise<PostgresStores> {
  const changes = await Changes.open(database)
  opened.add(() => changes.close())
  const catalog = new PostgresCatalogStore(database, changes, options)
  opened.add(() => catalog.close())
  const people = new PostgresPeopleStore(database, changes)
  opened.add(() => people.close())
  const outbox = new PostgresOutboxStore(database, changes, options)
  opened.add(() => outbox.close())
  return { changes, catalog, people, outbox }
}
