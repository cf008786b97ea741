import { type NodeInfo, NodeState, type Nodes } from '../../../runtime/cluster/nodes.ts'
import type { LimitStore } from '../../../runtime/limits/shared-buckets.ts'
import type { Changes } from '../changes/changes.ts'
import { MESSAGES } from '../changes/listening.ts'
import type { Queries } from '../connection/queries.ts'
import { behindOf, type LiveNode, liveNodes } from './live-nodes.ts'
import type { OwnNode } from './own-node.ts'

/** Milliseconds between an answer and the next question. */
const INTERVAL = 1_000

const NO_STATE = NodeState.parse({})

/** What following the others needs of the node. */
export type FollowingNode = Pick<OwnNode, 'id' | 'name' | 'leaseLeft' | 'setState'>

export interface PostgresNodesOptions {
  /** Hears messages; by default, none are heard. */
  readonly changes?: Pick<Changes, 'hear'>
  /** Milliseconds between an answer and the next question; 1 s by default. */
  readonly interval?: number
  /** Monotonic clock, in milliseconds. */
  readonly clock?: () => number
}

/** The nodes of a database, as one of them knows them. */
export interface PostgresNodes extends Nodes {
  /** Asks now. Resolves once the list is what the database has answered, or that has failed. */
  refresh(): Promise<void>
  /** Asks no more. A question that is under way is forgotten. */
  close(): void
}

/**
 * Follows the nodes of a database: one query at a time, a second after the last. Resolves once it knows the nodes.
 * Rejects with `StorageError`.
 */
export async function openPostgresNodes(
  queries: Queries,
  node: FollowingNode,
  { changes, interval = INTERVAL, clock = () => performance.now() }: PostgresNodesOptions = {},
): Promise<PostgresNodes> {
  const listeners = new Set<() => void>()
  let known = await liveNodes(queries)
  let count = countOf(known, node)
  let listedAt = clock()
  let failing = false
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function schedule(): void {
    clearTimeout(timer)
    if (isClosed) return
    timer = setTimeout(() => void refresh(), interval).unref()
  }

  async function refresh(): Promise<void> {
    const asked = clock()
    try {
      const found = await liveNodes(queries)
      // Of two questions at a time, the answer to the later one counts.
      if (asked < listedAt) return
      known = found
      count = countOf(known, node)
      listedAt = asked
      failing = false
      if (!isClosed) for (const listener of listeners) listener()
    } catch {
      if (asked >= listedAt) failing = true
    }
    schedule()
  }

  schedule()
  return {
    get id() {
      return node.id
    },
    get name() {
      return node.name
    },
    limits: postgresLimits(queries),
    get leaseLeft() {
      return node.leaseLeft()
    },
    get count() {
      return count
    },
    list: () => ({
      nodes: known.map((one) => shown(one, node.id)),
      age: clock() - listedAt,
      failing,
    }),
    report: (state) => node.setState(state),
    send: async (message) => {
      await queries.run('SELECT pg_notify($1, $2)', [MESSAGES, message])
    },
    hear: (onMessage) => changes?.hear(onMessage) ?? (() => {}),
    onListed(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh,
    close() {
      isClosed = true
      clearTimeout(timer)
      listeners.clear()
    },
  }
}

function countOf(known: readonly LiveNode[], own: FollowingNode): number {
  return 1 + known.filter(({ leaseLeft, id }) => leaseLeft > 0 && id !== own.id).length
}

function shown({ served, newest, started, slot: _, ...node }: LiveNode, own: number): NodeInfo {
  return {
    ...node,
    startedAt: started,
    own: node.id === own,
    behind: behindOf({ served, newest }),
    state: NodeState.safeParse(node.state).data ?? NO_STATE,
  }
}

/** Milliseconds between two times that a node deletes what is full for a day. */
const CLEAN_UP_INTERVAL = 3_600_000

const SQL = {
  // In the order of their names, so that two nodes never wait for each other. A bucket is overdrawn by no more than it
  // holds: after a failure that charged too much, requests go on within two periods.
  charge: `INSERT INTO rate_limits AS known (name, full_at)
    SELECT name, statement_timestamp() + used * interval '1 millisecond'
    FROM unnest($1::text[], $2::float8[]) AS charged (name, used) ORDER BY name COLLATE "C"
    ON CONFLICT (name) DO UPDATE SET full_at = least(
      greatest(known.full_at, statement_timestamp()) + (excluded.full_at - statement_timestamp()),
      statement_timestamp() + 2 * $3::float8 * interval '1 millisecond'
    )
    RETURNING name, extract(epoch FROM full_at - clock_timestamp()) * 1000 AS missing`,
  forget: "DELETE FROM rate_limits WHERE full_at < clock_timestamp() - interval '1 day'",
} as const

/** Returns buckets of all nodes, by the clock of the database. */
export function postgresLimits(queries: Queries): LimitStore {
  let cleanedUpAt = performance.now()
  return {
    async charge(charges, period) {
      const names = charges.map(({ name }) => name)
      const used = charges.map((charge) => charge.used)
      type Row = { readonly name: string; readonly missing: number }
      const rows = await queries.rows<Row>(SQL.charge, [names, used, period])
      if (performance.now() - cleanedUpAt >= CLEAN_UP_INTERVAL) {
        cleanedUpAt = performance.now()
        await queries.run(SQL.forget)
      }
      return new Map(rows.map(({ name, missing }) => [name, Math.max(0, missing)]))
    },
  }
}
