import { type NodeInfo, type NodeList, NodeState, type Nodes } from '../../../cluster/nodes.ts'
import type { LimitStore } from '../../../limits/shared-buckets.ts'
import type { Changes } from '../changes/changes.ts'
import { MESSAGES } from '../changes/listening.ts'
import type { Queries } from '../connection/database.ts'
import { postgresLimits } from '../limits/postgres-limits.ts'
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

/** Follows the nodes of a database: one query at a time, a second after the last. */
export class PostgresNodes implements Nodes {
  readonly limits: LimitStore
  readonly #queries: Queries
  readonly #node: FollowingNode
  readonly #changes: Pick<Changes, 'hear'> | undefined
  readonly #interval: number
  readonly #clock: () => number
  readonly #listeners = new Set<() => void>()
  #known: readonly LiveNode[] = []
  #count = 1
  #listedAt: number
  #failing = false
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  /** Resolves once it knows the nodes. Rejects with `StorageError`. */
  static async open(
    queries: Queries,
    node: FollowingNode,
    options: PostgresNodesOptions = {},
  ): Promise<PostgresNodes> {
    return new PostgresNodes(queries, node, await liveNodes(queries), options)
  }

  private constructor(
    queries: Queries,
    node: FollowingNode,
    known: readonly LiveNode[],
    { changes, interval = INTERVAL, clock = () => performance.now() }: PostgresNodesOptions,
  ) {
    this.limits = postgresLimits(queries)
    this.#queries = queries
    this.#node = node
    this.#changes = changes
    this.#interval = interval
    this.#clock = clock
    this.#listedAt = clock()
    this.#learn(known)
    this.#schedule()
  }

  get id(): number {
    return this.#node.id
  }

  get name(): string {
    return this.#node.name
  }

  get leaseLeft(): number {
    return this.#node.leaseLeft()
  }

  get count(): number {
    return this.#count
  }

  list(): NodeList {
    const nodes = this.#known.map((node) => this.#shown(node))
    return { nodes, age: this.#clock() - this.#listedAt, failing: this.#failing }
  }

  report(state: Partial<NodeState>): void {
    this.#node.setState(state)
  }

  async send(message: string): Promise<void> {
    await this.#queries.run('SELECT pg_notify($1, $2)', [MESSAGES, message])
  }

  hear(onMessage: (message: string) => void): () => void {
    return this.#changes?.hear(onMessage) ?? (() => {})
  }

  onListed(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Asks now. Resolves once the list is what the database has answered, or that has failed. */
  refresh(): Promise<void> {
    return this.#look()
  }

  /** Asks no more. A question that is under way is forgotten. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#listeners.clear()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.#look(), this.#interval).unref()
  }

  async #look(): Promise<void> {
    const asked = this.#clock()
    try {
      const known = await liveNodes(this.#queries)
      // Of two questions at a time, the answer to the later one counts.
      if (asked < this.#listedAt) return
      this.#learn(known)
      this.#listedAt = asked
      this.#failing = false
      if (!this.#isClosed) for (const listener of this.#listeners) listener()
    } catch {
      if (asked >= this.#listedAt) this.#failing = true
    }
    this.#schedule()
  }

  #learn(known: readonly LiveNode[]): void {
    this.#known = known
    this.#count = 1 + known.filter((node) => node.leaseLeft > 0 && node.id !== this.id).length
  }

  #shown({ served, newest, started, slot: _, ...node }: LiveNode): NodeInfo {
    return {
      ...node,
      startedAt: started,
      own: node.id === this.id,
      behind: behindOf({ served, newest }),
      state: NodeState.safeParse(node.state).data ?? NO_STATE,
    }
  }
}
