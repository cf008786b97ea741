import type { AuditEntry } from '../../../catalog/audit-log.ts'
import type { CatalogStore } from '../../../catalog/store.ts'
import type { OutboxStore } from '../../../outbound/outbox/store.ts'
import type { PeopleStore } from '../../../people/store.ts'
import type { DisposerStack } from '../../../runtime/async/disposer-stack.ts'
import { areaOf } from '../../relational/areas.ts'
import { appendAudit } from '../../relational/audit-log.ts'
import type { Part } from '../../relational/statements.ts'
import {
  type Closing,
  catalogStore,
  outboxStore,
  peopleStore,
  type StoredPart,
} from '../../relational/stores.ts'
import { Changes } from '../changes/changes.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { questionsTo } from '../transactions/open-transaction.ts'
import { type PartOptions, PartTransactions } from '../transactions/transactions.ts'

const SET_RECORDED = 'UPDATE uploads SET recorded = true WHERE id = @id AND NOT recorded'

export interface PostgresCatalogStore extends Closing<CatalogStore> {
  /** Appends the entry of an upload to the audit log, unless the upload has one. */
  recordUpload(id: string, entry: AuditEntry): Promise<void>
}

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
  opened: DisposerStack,
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

/** The catalog in PostgreSQL, whose uploads all nodes know. */
export function postgresCatalogStore(part: PostgresPart): PostgresCatalogStore {
  return {
    ...catalogStore(part),
    recordUpload: (id, entry) =>
      part.transactions.run((scope) =>
        scope.operate(async () => {
          if ((await scope.quiet.run(SET_RECORDED, { id })) === 0) return
          await appendAudit(scope.of('catalog'), entry)
        }),
      ),
  }
}

/** A part of a database in PostgreSQL. */
interface PostgresPart extends StoredPart {
  readonly transactions: PartTransactions
}

/** Returns a part. `changes`: of the same database. Both are closed by their owner. */
export function postgresPart(
  database: PostgresDatabase,
  changes: Changes,
  part: Part,
  options: PartOptions = {},
): PostgresPart {
  const transactions = new PartTransactions(database, changes, part, options)
  const committed = questionsTo(database, () => transactions.refuseClosed())
  const revision = `SELECT revision FROM ${part}_state`
  return {
    transactions,
    committed,
    revision: async () => (await committed.row<{ revision: number }>(revision))?.revision ?? 0,
    newest: () => changes.newest(part),
    watch: (listener) => changes.announce(part, listener),
    transact: (area, work, within) =>
      transactions.run((scope) => work(areaOf(scope, area)), within),
    close: () => transactions.close(),
  }
}
