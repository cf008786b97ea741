import type { StorageError } from '../../../interface/storage-error.ts'
import type { Queries } from '../../connection/database.ts'
import type { Fact } from './fact.ts'

/** Facts that are kept for inspection. */
const KEPT = 1_000

const SQL = {
  insert: 'INSERT INTO set_aside (at, node, batch, facts, reason) VALUES ($1, $2, $3, $4, $5)',
  trim: `DELETE FROM set_aside
    WHERE id <= (SELECT id FROM set_aside ORDER BY id DESC OFFSET ${KEPT} LIMIT 1)`,
} as const

/** When (Unix ms), by which node, and in which of its batches a fact was refused. */
export interface RefusedIn {
  readonly at: number
  readonly node: number
  readonly batch: number
}

/** Keeps a fact that the database refuses, for inspection: the newest 1,000. Rejects with `StorageError`. */
export async function setAside(
  queries: Queries,
  { at, node, batch }: RefusedIn,
  fact: Fact,
  reason: StorageError,
): Promise<void> {
  const text = JSON.stringify(fact).replaceAll('\\u0000', '')
  await queries.run(SQL.insert, [at, node, batch, text, reason.message])
  await queries.run(SQL.trim)
}
