import { parentPort, workerData } from 'node:worker_threads'
import { PostgresDatabase } from '../connection/database.ts'
import { DedicatedConnection } from './dedicated-connection.ts'
import { LeaseClock } from './lease-clock.ts'
import type { LeaseOrder, LeaseReport, LeaseThreadData, RenewalOptions } from './lease-thread.ts'

const SQL = {
  renew: `UPDATE leases SET lease_until = clock_timestamp() + $2 * interval '1 millisecond',
      seen_at = clock_timestamp()
    WHERE node = $1 AND lease_until > clock_timestamp()
    RETURNING catalog_revision AS catalog, people_revision AS people,
      catalog_revision >= (SELECT revision FROM catalog_state)
        AND people_revision >= (SELECT revision FROM people_state) AS current`,
  touch: `UPDATE leases SET seen_at = clock_timestamp() WHERE node = $1
    RETURNING catalog_revision >= (SELECT revision FROM catalog_state)
      AND people_revision >= (SELECT revision FROM people_state) AS current`,
  // A change that commits after this waits for the locks, and then sees the lease. One that has committed is seen here.
  resume: `WITH current AS MATERIALIZED (
      SELECT catalog.revision AS catalog, people.revision AS people
      FROM catalog_state AS catalog, people_state AS people FOR SHARE
    )
    UPDATE leases SET lease_until = clock_timestamp() + $2 * interval '1 millisecond',
      seen_at = clock_timestamp()
    FROM current, nodes
    WHERE node = $1 AND nodes.id = $1
      AND catalog_revision >= current.catalog AND people_revision >= current.people
      AND nodes.schema >= (SELECT max(readable_from) FROM tidegate_schema)
    RETURNING node`,
} as const

/** Renewals in the time of a lease. */
const RENEWALS = 5
/** Of the lease's time, how much one statement may take: a second attempt then still comes in time. */
const STATEMENT_SHARE = 0.4
/** Of the lease's time, for how long a node that gets no further with newer changes keeps its lease. */
const STUCK_SHARE = 0.4

/** What a renewal finds of the node. */
interface Renewed {
  /** The revisions that it serves. */
  readonly catalog: number
  readonly people: number
  /** There are no newer ones. */
  readonly current: boolean
}

/**
 * Renews the lease of a node on a connection of its own. A lease that has ended is given again only when the node serves
 * the current revisions: changes may have been answered that it never heard of. A node that cannot load changes, such as
 * one without a free connection, must not hold them up: its lease ends.
 */
class LeaseRenewal {
  readonly #database: PostgresDatabase
  readonly #connection: DedicatedConnection
  readonly #options: RenewalOptions
  #node: number | undefined
  #timer: NodeJS.Timeout | undefined
  /** Since when the node has served these revisions although there are newer ones. */
  #behind: (Renewed & { readonly since: number }) | undefined
  #isAsking = false
  #isDue = false

  constructor(options: RenewalOptions) {
    this.#options = options
    this.#database = new PostgresDatabase(options.url, 1)
    this.#connection = new DedicatedConnection(this.#database)
  }

  /** Renews the lease of that node from now on. */
  hold(node: number): void {
    this.#node = node
    this.beat()
  }

  /** Renews the lease now, and then in intervals. */
  beat(): void {
    if (this.#isAsking) {
      this.#isDue = true
      return
    }
    clearTimeout(this.#timer)
    void this.#renew()
  }

  async #renew(): Promise<void> {
    const node = this.#node
    if (node === undefined) return
    this.#isAsking = true
    this.#isDue = false
    const began = performance.now()
    try {
      if (!(await this.#ask(node)) && node === this.#node) this.#fence(node)
    } catch {
      // The lease goes on as long as it lasts, and the next attempt connects again.
    }
    this.#isAsking = false
    const interval = this.#options.leaseTime / RENEWALS
    const rest = this.#isDue
      ? 0
      : Math.max(interval / RENEWALS, interval + began - performance.now())
    this.#timer = setTimeout(() => this.beat(), rest)
  }

  /** Returns whether the node still exists. */
  async #ask(node: number): Promise<boolean> {
    const { leaseTime } = this.#options
    const within = leaseTime * STATEMENT_SHARE
    await this.#connection.open(within)
    if (!this.#isStuck()) {
      const renewed = await this.#extend<Renewed>(SQL.renew, node, within)
      if (renewed !== undefined) {
        this.#note(renewed)
        return true
      }
    }
    const [touched] = await this.#connection.ask<{ current: boolean }>(SQL.touch, [node], within)
    if (touched?.current) {
      this.#behind = undefined
      await this.#extend(SQL.resume, node, within)
    }
    return touched !== undefined
  }

  #note(found: Renewed): void {
    const { catalog, people } = this.#behind ?? {}
    if (found.current) this.#behind = undefined
    else if (found.catalog !== catalog || found.people !== people) {
      this.#behind = { ...found, since: performance.now() }
    }
  }

  #isStuck(): boolean {
    const limit = this.#options.leaseTime * STUCK_SHARE
    return this.#behind !== undefined && performance.now() - this.#behind.since > limit
  }

  /** Returns what the statement found if the lease was renewed. */
  async #extend<Row>(statement: string, node: number, within: number): Promise<Row | undefined> {
    const { clock, leaseTime } = this.#options
    // Before the statement is sent, so that the lease ends here before it ends in the database.
    const sent = LeaseClock.now()
    const [renewed] = await this.#connection.ask<Row>(statement, [node, leaseTime], within)
    if (renewed !== undefined && node === this.#node) clock.renew(sent, leaseTime)
    return renewed
  }

  #fence(node: number): void {
    this.#node = undefined
    this.#options.clock.end()
    this.#options.onFenced(node)
  }
}

const port = parentPort
if (port === null) throw new Error('lease-worker.ts runs as a worker thread only')
const { url, leaseTime, buffer }: LeaseThreadData = workerData

const renewal = new LeaseRenewal({
  url,
  leaseTime,
  clock: new LeaseClock(buffer),
  onFenced: (node) => port.postMessage({ type: 'fenced', node } satisfies LeaseReport),
})

port.on('message', (order: LeaseOrder) => {
  switch (order.type) {
    case 'hold':
      return renewal.hold(order.node)
    case 'beat':
      return renewal.beat()
    default:
      return order satisfies never
  }
})
