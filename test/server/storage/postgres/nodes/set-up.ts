import { onTestFinished } from 'vitest'
import { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { SCHEMA } from '../../../../../src/server/storage/postgres/migrations/index.ts'
import {
  type NodeOptions,
  OwnNode,
} from '../../../../../src/server/storage/postgres/nodes/own-node.ts'
import { eventually } from '../../../../support/eventually.ts'
import { freshDatabase } from '../../../../support/postgres/shared-cluster.ts'

/** The revisions of a new database. */
export const FIRST = { catalog: 0, people: 1 } as const

/** Opens a database until the test is over. `url`: a new one by default, with the current schema. */
export async function open(url?: string): Promise<PostgresDatabase> {
  const database = new PostgresDatabase(url ?? (await freshDatabase({ prepared: true })))
  onTestFinished(() => database.close())
  return database
}

/** Joins a node that serves the revisions of a new database, until the test is over. */
export async function join(
  database: PostgresDatabase,
  name: string,
  options: Partial<NodeOptions> = {},
): Promise<OwnNode> {
  const description = { name, version: '1.0.0', schema: SCHEMA }
  const node = await OwnNode.join(database, { ...description, served: FIRST, ...options })
  onTestFinished(() => node.leave())
  return node
}

/** Waits until a node may serve. */
export async function served(node: OwnNode): Promise<void> {
  await eventually(() => {
    if (!node.mayServe()) throw new Error('it may not serve')
  })
}

/** Waits until a node may not serve. */
export async function lapsed(node: OwnNode): Promise<void> {
  await eventually(() => {
    if (node.mayServe()) throw new Error('it may serve')
  })
}

/** Commits a change of the catalog, and returns its revision. */
export async function change(database: PostgresDatabase): Promise<number> {
  const changed = await database.row<{ revision: number }>(
    'UPDATE catalog_state SET revision = revision + 1 RETURNING revision',
  )
  return changed?.revision ?? 0
}

/** Makes a database believe that nothing was heard of a node for two minutes. */
export async function age(database: PostgresDatabase, { id }: OwnNode): Promise<void> {
  await database.run(
    `UPDATE leases SET seen_at = seen_at - interval '2 minutes',
      lease_until = lease_until - interval '2 minutes' WHERE node = $1`,
    [id],
  )
}

/** Waits until a statement waits for a lock of another transaction. */
export async function waiting(database: PostgresDatabase): Promise<void> {
  await eventually(async () => {
    const locks = await database.rows(
      `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND datname = current_database()`,
    )
    if (locks.length === 0) throw new Error('nothing waits')
  })
}
