import type { OutboxStore } from '../outbox/store.ts'
import type { PeopleStore } from '../people/store.ts'
import type { OpenedParts } from './opened-parts.ts'
import { Changes } from './postgres/changes/changes.ts'
import type { PostgresDatabase } from './postgres/connection/database.ts'
import {
  type PostgresCatalogStore,
  postgresCatalogStore,
} from './postgres/hosting/recorded-uploads.ts'
import { postgresPart } from './postgres/transactions/postgres-part.ts'
import type { PartOptions } from './postgres/transactions/transactions.ts'
import { outboxStore } from './relational/outbox-store.ts'
import { peopleStore } from './relational/people-store.ts'
import type { Closing } from './relational/stored-part.ts'

/** The stores of one database, which hear what other processes change in it. */
export interface PostgresStores {
  readonly changes: Changes
  readonly catalog: PostgresCatalogStore
  readonly people: Closing<PeopleStore>
  readonly outbox: Closing<OutboxStore>
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
  const catalog = postgresCatalogStore(postgresPart(database, changes, 'catalog', options))
  opened.add(() => catalog.close())
  const people = peopleStore(postgresPart(database, changes, 'people'))
  opened.add(() => people.close())
  const outbox = outboxStore(postgresPart(database, changes, 'outbox', options))
  opened.add(() => outbox.close())
  return { changes, catalog, people, outbox }
}
