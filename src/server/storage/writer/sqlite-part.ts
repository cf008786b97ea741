import type { Part } from '../relational/statements.ts'
import type { StoredPart } from '../relational/stored-part.ts'
import type { OpenOptions } from '../sqlite/database.ts'
import { ReadConnection } from '../sqlite/read-connection.ts'
import type { Transactions } from './transactions.ts'
import { watchRevision } from './watch.ts'

/**
 * Returns a part of a database in SQLite, which reads on a connection of its own. `transactions`: those of the same
 * database, closed by their owner. Throws `StorageError`.
 */
export function sqlitePart(
  file: string,
  part: Part,
  transactions: Transactions,
  options: Pick<OpenOptions, 'checkpoint' | 'cacheKiB'>,
): StoredPart {
  const committed = new ReadConnection(file, part, options)
  return {
    committed,
    revision: async () => committed.revision(),
    newest: () => committed.revision(),
    watch: (listener) => watchRevision(() => committed.revision(), listener),
    transact: (area, work, within) => transactions.transact(area, work, within),
    close: async () => committed.close(),
  }
}
