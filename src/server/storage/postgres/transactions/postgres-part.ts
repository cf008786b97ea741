import { areaOf } from '../../relational/areas.ts'
import type { Part } from '../../relational/statements.ts'
import type { StoredPart } from '../../relational/stored-part.ts'
import type { Changes } from '../changes/changes.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { questionsTo } from './open-transaction.ts'
import { type PartOptions, PartTransactions } from './transactions.ts'

/** A part of a database in PostgreSQL. */
export interface PostgresPart extends StoredPart {
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
