import { hostname } from 'node:os'
import { z } from 'zod'
import type { LeadershipName } from '../../../runtime/cluster/leadership.ts'
import type { StorageHolder } from '../../interface/engine.ts'
import type { Queries } from '../connection/queries.ts'
import type { ServedPart } from './registration.ts'

const SQL = {
  live: `SELECT id, slot, name, version, address, state, started_at AS started,
      catalog_revision AS catalog, people_revision AS people,
      greatest(0, coalesce(ceil(extract(epoch FROM lease_until - clock_timestamp()) * 1000), 0))
        AS "leaseLeft",
      (SELECT revision FROM catalog_state) AS "newestCatalog",
      (SELECT revision FROM people_state) AS "newestPeople",
      ARRAY(SELECT leaders.name::text FROM leaders WHERE leaders.node = nodes.id ORDER BY 1) AS leads
    FROM nodes JOIN leases ON node = id WHERE ended_at IS NULL ORDER BY id`,
} as const

interface LiveRow extends Omit<LiveNode, 'served' | 'newest' | 'state'> {
  readonly state: string
  readonly catalog: number
  readonly people: number
  readonly newestCatalog: number
  readonly newestPeople: number
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
  /** The newest revisions at that time. */
  readonly newest: Readonly<Record<ServedPart, number>>
  /** The tasks that it led last. */
  readonly leads: readonly LeadershipName[]
  /** What it tells about itself. */
  readonly state: unknown
  readonly started: Date
}

/** Returns how many changes of each part a node does not serve yet. */
export function behindOf({
  served,
  newest,
}: Pick<LiveNode, 'served' | 'newest'>): Record<ServedPart, number> {
  return {
    catalog: Math.max(0, newest.catalog - served.catalog),
    people: Math.max(0, newest.people - served.people),
  }
}

/** Returns the nodes that have not ended, in the order in which they joined. Rejects with `StorageError`. */
export async function liveNodes(queries: Queries): Promise<LiveNode[]> {
  const rows = await queries.rows<LiveRow>(SQL.live)
  return rows.map(({ catalog, people, newestCatalog, newestPeople, state, ...row }) => {
    const newest = { catalog: newestCatalog, people: newestPeople }
    return { ...row, served: { catalog, people }, newest, state: JSON.parse(state) }
  })
}

/** What a node tells programs that can read its database, beside what it tells people. */
export const HolderState = z.object({
  pid: z.int().catch(0),
  /** The name of its computer; null in the record of an earlier version, whose node is named after it. */
  host: z.string().nullable().catch(null),
  /** As `StorageHolder` has it. */
  statusToken: z.string().nullable().catch(null),
  keptFiles: z.object({ folder: z.string(), publicUrl: z.string() }).nullable().catch(null),
})
export type HolderState = z.infer<typeof HolderState>

/**
 * Returns a node that may serve, as it has described itself; of several, one of this computer and one that has an
 * address are preferred. Rejects with `StorageError`.
 */
export async function liveHolder(queries: Queries): Promise<StorageHolder | undefined> {
  const own = hostname()
  const rank = ({ name, address, state }: LiveNode) => {
    const { host } = HolderState.parse(state ?? {})
    return (address === null ? 0 : 2) + (own === (host ?? name) ? 1 : 0)
  }
  const [best] = (await liveNodes(queries))
    .filter(({ leaseLeft }) => leaseLeft > 0)
    .toSorted((one, other) => rank(other) - rank(one))
  if (best === undefined) return undefined
  const { pid, statusToken, keptFiles } = HolderState.parse(best.state ?? {})
  const { address, started } = best
  return { pid, address, startedAt: started.toISOString(), statusToken, keptFiles }
}
