import { DuplicateError } from '../../catalog/store.ts'
import { StorageError } from '../interface/storage-error.ts'
import type { Parameters, Questions, Statements } from './statements.ts'

/** Runs an insert. Rejects with `DuplicateError`, and then undoes it, so that the transaction goes on. */
export async function insert(
  tx: Statements,
  sql: string,
  parameters: Parameters,
  what: string,
): Promise<void> {
  await attempted(tx, what, () => tx.run(sql, parameters))
}

/** The same for a statement that returns the row. */
export async function insertReturning<Row>(
  tx: Statements,
  sql: string,
  parameters: Parameters,
  what: string,
): Promise<Row> {
  const row = await attempted(tx, what, () => tx.written<Row>(sql, parameters))
  if (row !== undefined) return row
  const detail = `${what} was not stored`
  throw new StorageError({ code: 'failed', file: tx.location, detail })
}

/** Runs a write of one row. Rejects with `rejected` if there is none. */
export async function change(
  tx: Statements,
  sql: string,
  parameters: Parameters,
  what: string,
): Promise<void> {
  if ((await tx.run(sql, parameters)) !== 1) throw unknown(tx, what)
}

/** Returns the error of a write to what does not exist. */
export function unknown({ location }: Questions, what: string): StorageError {
  const detail = `there is no ${what} to change`
  return new StorageError({ code: 'rejected', file: location, detail })
}

async function attempted<T>(tx: Statements, what: string, write: () => Promise<T>): Promise<T> {
  try {
    return await tx.attempt(write)
  } catch (error) {
    if (!tx.dialect.isUniqueBreach(error)) throw error
    throw new DuplicateError(`${what} already exists`)
  }
}
