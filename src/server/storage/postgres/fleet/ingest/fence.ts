import { StorageError } from '../../../interface/storage-error.ts'
import type { Transaction } from '../../connection/database.ts'
import type { Slice } from './queued-facts.ts'

const SQL = {
  fence: `UPDATE nodes SET batch = $2 WHERE id = $1 AND batch < $2 AND ended_at IS NULL`,
  state: 'SELECT batch, ended_at IS NULL AS live FROM nodes WHERE id = $1',
} as const

/**
 * Begins a transaction that stores a slice, or one of its facts, as that number: no other one with its number, or of a node that has ended, can commit after it.
 * `node`: the id of the node that writes. Returns false if it was committed before, and only the answer was lost.
 * Rejects with `StorageError` `unwritable` if the node has ended.
 */
export async function fence(
  tx: Transaction,
  node: number,
  slice: Slice,
  number: number,
): Promise<boolean> {
  const { triedBy = node } = slice
  if (triedBy !== node && (await hasStored(tx, triedBy, number))) return false
  slice.triedBy = node
  if ((await tx.run(SQL.fence, [node, number])) === 1) return true
  const state = await tx.row<{ batch: number; live: boolean }>(SQL.state, [node])
  if (state?.live === true && state.batch >= number) return false
  throw new StorageError({ code: 'unwritable', file: tx.location, detail: 'the node has ended' })
}

/** Whether a node that others have ended, and whose batches so do not grow any more, had stored that one. */
async function hasStored(tx: Transaction, node: number, number: number): Promise<boolean> {
  const state = await tx.row<{ batch: number }>(SQL.state, [node])
  return state !== undefined && state.batch >= number
}
