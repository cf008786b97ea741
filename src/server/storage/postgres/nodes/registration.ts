import { setTimeout as delay } from 'node:timers/promises'
import { StorageError } from '../../interface/storage-error.ts'
import { isUniqueBreach } from '../connection/errors.ts'
import type { Queries } from '../connection/queries.ts'
import { MOVE_LOCK, refuseHeld, refuseMoving } from '../migrations/move-lock.ts'

/** The largest slot. Slot 0 belongs to no node. */
const SLOTS = 199
/** Attempts at the lowest free slot, which other nodes that join at the same time take. */
const ATTEMPTS = 50

const SQL = {
  insert: `WITH joined AS (
      INSERT INTO nodes (slot, name, version, schema, address, state)
      SELECT min(free), $1, $2, $3, $4, $5 FROM generate_series(1, ${SLOTS}) AS free
      WHERE NOT EXISTS (SELECT FROM nodes WHERE slot = free AND ended_at IS NULL)
      HAVING min(free) IS NOT NULL AND pg_try_advisory_xact_lock_shared(${MOVE_LOCK})
      RETURNING id, slot
    ), leased AS (
      INSERT INTO leases (node, catalog_revision, people_revision) SELECT id, $6, $7 FROM joined
    )
    SELECT id, slot FROM joined`,
  giveUp: 'UPDATE leases SET lease_until = NULL WHERE node = $1',
  // The lease first: a renewal then finds that it is gone. A batch that is being committed still counts.
  leave: `WITH left_behind AS (DELETE FROM leases WHERE node = $1)
    UPDATE nodes SET ended_at = clock_timestamp() WHERE id = $1 AND ended_at IS NULL`,
  endLapsed: `WITH lapsed AS (
      DELETE FROM leases
      WHERE greatest(lease_until, seen_at) < clock_timestamp() - interval '1 minute'
      RETURNING node
    )
    UPDATE nodes SET ended_at = clock_timestamp()
    WHERE id IN (SELECT node FROM lapsed) AND ended_at IS NULL`,
  forget: "DELETE FROM nodes WHERE ended_at < clock_timestamp() - interval '1 day'",
} as const

/** The parts of the data whose revisions nodes serve from memory. */
export type ServedPart = 'catalog' | 'people'

export interface NodeDescription {
  /** What people call it, such as its host name. */
  readonly name: string
  /** Of the program. */
  readonly version: string
  /** The newest migration that it knows. */
  readonly schema: number
}

/** What a node tells others while it runs. */
export interface NodeRecord {
  /** Where other nodes and people reach it. */
  readonly address: string | null
  readonly state: object
  /** The revisions that it serves. */
  readonly served: Readonly<Record<ServedPart, number>>
}

export interface NodeIdentity {
  readonly id: number
  /** From 1; no other node that has not ended has it. */
  readonly slot: number
}

/**
 * Adds a node without a lease, with the lowest free slot. Rejects with `StorageError`: `busy` if no slot is free, `locked`
 * while the database is being moved, and `moving` if a move that fills it has not ended.
 */
export async function register(
  queries: Queries,
  { name, version, schema }: NodeDescription,
  { address, state, served }: NodeRecord,
): Promise<NodeIdentity> {
  const values = [name, version, schema, address, JSON.stringify(state)]
  const revisions = [served.catalog, served.people]
  await refuseMoving(queries)
  for (let attempt = 1; ; attempt++) {
    try {
      const joined = await queries.row<NodeIdentity>(SQL.insert, [...values, ...revisions])
      if (joined !== undefined) return joined
    } catch (error) {
      if (!isUniqueBreach(error) || attempt >= ATTEMPTS) throw error
      await delay(Math.random() * attempt)
      continue
    }
    await refuseHeld(queries)
    const detail = `all ${SLOTS} slots of nodes are taken`
    throw new StorageError({ code: 'busy', file: queries.location, detail })
  }
}

/** Ends the lease of a node that serves nothing any more. */
export async function giveUpLease(queries: Queries, id: number): Promise<void> {
  await queries.run(SQL.giveUp, [id])
}

/** Ends a node: its slot is free, and nothing of it is stored any more. */
export async function unregister(queries: Queries, id: number): Promise<void> {
  await queries.run(SQL.leave, [id])
}

/** Ends nodes whose lease ended over a minute ago, and deletes those that ended a day ago. */
export async function cleanUpNodes(queries: Queries): Promise<void> {
  await queries.run(SQL.endLapsed)
  await queries.run(SQL.forget)
}
