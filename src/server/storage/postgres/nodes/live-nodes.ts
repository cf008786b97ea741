import type { Queries } from '../connection/database.ts'
import type { ServedPart } from './registration.ts'

const SQL = {
  live: `SELECT id, slot, name, version, address, state, started_at AS started,
      catalog_revision AS catalog, people_revision AS people,
      greatest(0, coalesce(ceil(extract(epoch FROM lease_until - clock_timestamp()) * 1000), 0))
        AS "leaseLeft"
    FROM nodes JOIN leases ON node = id WHERE ended_at IS NULL ORDER BY id`,
} as const

interface LiveRow {
  readonly id: number
  readonly slot: number
  readonly name: string
  readonly version: string
  readonly address: string | null
  readonly state: string
  readonly started: Date
  readonly catalog: number
  readonly people: number
  readonly leaseLeft: number
}

/** A node that has not ended. */
export interface LiveNode {
  readonly id: number
  readonly slot: number
  readonly name: string
  readonly version: string
  readonly address: string | null
  /** Milliseconds that it may still serve; 0 while it may not, such as before it has loaded. */
  readonly leaseLeft: number
  /** The revisions that it serves. */
  readonly served: Readonly<Record<ServedPart, number>>
  /** What it tells about itself. */
  readonly state: unknown
  readonly started: Date
}

/** Returns the nodes that have not ended, in the order in which they joined. Rejects with `StorageError`. */
export async function liveNodes(queries: Queries): Promise<LiveNode[]> {
  const rows = await queries.rows<LiveRow>(SQL.live)
  return rows.map(({ catalog, people, state, ...row }) => {
    return { ...row, served: { catalog, people }, state: JSON.parse(state) }
  })
}
