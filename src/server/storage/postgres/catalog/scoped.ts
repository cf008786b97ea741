import type { TransactionScope as Shared } from '../../relational/scope.ts'
import type { Part } from '../../relational/statements.ts'
import type { Transaction } from '../connection/database.ts'

export type TransactionScope = ReturnType<typeof scoped>

/** A transaction as the catalog uses it. */
export function scoped(scope: Shared, tx: Transaction) {
  const read = <T>(question: (tx: Transaction) => Promise<T>): Promise<T> =>
    scope.operate(() => question(tx))
  const write = <T>(part: Part, question: (tx: Transaction) => Promise<T>): Promise<T> =>
    scope.operate(async () => {
      await scope.raise(part)
      return await question(tx)
    })
  return { read, write }
}
