import { DuplicateError } from '../../../catalog/store.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { Queries, Transaction } from '../connection/database.ts'
import { isUniqueBreach } from '../connection/errors.ts'
import type { NamedStatement, Parameters } from '../connection/statements.ts'

/** Runs an insert. Rejects with `DuplicateError`, and then undoes it, so that the transaction goes on. */
export async function insert(
  tx: Transaction,
  statement: NamedStatement,
  parameters: object,
  what: string,
): Promise<void> {
  await attempted(tx, what, () => tx.run(statement, { ...parameters }))
}

/** The same for a statement that returns the row. */
export async function insertReturning<Row>(
  tx: Transaction,
  statement: NamedStatement,
  parameters: object,
  what: string,
): Promise<Row> {
  const row = await attempted(tx, what, () => tx.row<Row>(statement, { ...parameters }))
  if (row !== undefined) return row
  const detail = `${what} was not stored`
  throw new StorageError({ code: 'failed', file: tx.location, detail })
}

/** Runs a write of one row. Rejects with `rejected` if there is none. */
export async function change(
  tx: Queries,
  statement: string | NamedStatement,
  parameters: Parameters,
  what: string,
): Promise<void> {
  if ((await tx.run(statement, parameters)) !== 1) throw unknown(tx, what)
}

/** Returns the error of a write to what does not exist. */
export function unknown({ location }: Queries, what: string): StorageError {
  const detail = `there is no ${what} to change`
  return new StorageError({ code: 'rejected', file: location, detail })
}

async function attempted<T>(tx: Transaction, what: string, write: () => Promise<T>): Promise<T> {
  try {
    return await tx.attempt(write)
  } catch (error) {
    throw isUniqueBreach(error) ? new DuplicateError(`${what} already exists`) : error
  }
}
