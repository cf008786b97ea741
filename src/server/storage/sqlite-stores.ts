import type { OutboxStore } from '../outbox/store.ts'
import type { PeopleStore } from '../people/store.ts'
import { outboxStore } from './relational/outbox-store.ts'
import { peopleStore } from './relational/people-store.ts'
import type { Closing } from './relational/stored-part.ts'
import { sqlitePart } from './writer/sqlite-part.ts'
import type { Transactions } from './writer/transactions.ts'

/** Page cache in KiB: what is stored of people and webhooks is small. */
const SMALL = { checkpoint: 'elsewhere', cacheKiB: 1_024 } as const

/** Opens the people in a prepared database. `transactions`: those of its catalog. Throws `StorageError`. */
export function createSqlitePeopleStore(
  file: string,
  transactions: Transactions,
): Closing<PeopleStore> {
  return peopleStore(sqlitePart(file, 'people', transactions, SMALL))
}

/** The same for webhooks and deliveries. */
export function createSqliteOutboxStore(
  file: string,
  transactions: Transactions,
): Closing<OutboxStore> {
  return outboxStore(sqlitePart(file, 'outbox', transactions, SMALL))
}
