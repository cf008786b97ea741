import type { Part } from '../../relational/statements.ts'
import type { Queries } from '../connection/queries.ts'

/** The newest revision of every part. */
export type Revisions = Readonly<Record<Part, number>>

/** The channel of notifications; the payload is a part, `served`, or `files`. */
export const CHANNEL = 'tidegate'

/** The payload after a change of the files that all nodes know, which have no revision. */
export const FILES = 'files'

const LOCK_CATALOG = 'SELECT FROM catalog_state FOR UPDATE'

/**
 * Locks a part for a transaction, before anything else. All begin with the catalog: whatever they append to the audit log
 * is committed in the order of its ids.
 */
export const LOCKS: Readonly<Record<Part, string>> = {
  catalog: LOCK_CATALOG,
  people: `${LOCK_CATALOG}; SELECT FROM people_state FOR UPDATE`,
  outbox: `${LOCK_CATALOG}; SELECT FROM outbox_state FOR UPDATE`,
}

/** Selects `Revisions`. */
export const SELECT_REVISIONS = `SELECT (SELECT revision FROM catalog_state) AS catalog,
  (SELECT revision FROM people_state) AS people, (SELECT revision FROM outbox_state) AS outbox`

/**
 * Raises the revision of a part, by default of the catalog, and lets every node know once the transaction is committed.
 * Returns the new revision.
 */
export async function raiseRevision(tx: Queries, part: Part = 'catalog'): Promise<number> {
  const raised = await tx.row<{ revision: number }>(
    `WITH raised AS (UPDATE ${part}_state SET revision = revision + 1 RETURNING revision)
    SELECT revision, pg_notify($1, $2) FROM raised`,
    [CHANNEL, part],
  )
  return raised?.revision ?? 0
}
