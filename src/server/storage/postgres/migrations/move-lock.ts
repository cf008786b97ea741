import { StorageError } from '../../interface/storage-error.ts'
import type { Queries } from '../connection/queries.ts'

/**
 * Of the lock that a move holds in its source and its target, and that nodes share while they join: the bytes of "move".
 */
export const MOVE_LOCK = 0x6d6f7665

const EXISTS = "SELECT to_regclass('tidegate_move') IS NOT NULL AS there"
const HELD = `SELECT NOT pg_try_advisory_xact_lock_shared(${MOVE_LOCK}) AS held`

/** Returns whether the database is the target of a move that has not ended. */
export async function isMovedTo(queries: Queries): Promise<boolean> {
  return (await queries.row<{ there: boolean }>(EXISTS))?.there === true
}

/** Rejects with `StorageError` `moving` if the database is the target of a move that has not ended. */
export async function refuseMoving(queries: Queries): Promise<void> {
  if (await isMovedTo(queries)) throw new StorageError({ code: 'moving', file: queries.location })
}

/** Rejects with `StorageError` `locked` while a move copies the database. */
export async function refuseHeld(queries: Queries): Promise<void> {
  const lock = await queries.row<{ held: boolean }>(HELD)
  if (lock?.held !== true) return
  const circumstance = { kind: 'being_moved' } as const
  throw new StorageError({ code: 'locked', file: queries.location, circumstance })
}
