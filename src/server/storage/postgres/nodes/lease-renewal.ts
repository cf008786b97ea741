import { PostgresDatabase } from '../connection/database.ts'
import { DedicatedConnection } from './dedicated-connection.ts'
import { LeaseClock } from './lease-clock.ts'

const SQL = {
  renew: `UPDATE leases SET lease_until = clock_timestamp() + $2 * interval '1 millisecond',
      seen_at = clock_timestamp()
    WHERE node = $1 AND lease_until > clock_timestamp() RETURNING node`,
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

export interface RenewalOptions {
  /** The connection URI. */
  readonly url: string
  /** Milliseconds that a lease lasts. */
  readonly leaseTime: number
  readonly clock: LeaseClock
  /** The node has ended: other nodes do not count on it, and its slot may be another's. */
  readonly onFenced: (node: number) => void
}

/**
 * Renews the lease of a node on a connection of its own. A lease that has ended is given again only when the node serves
 * the current revisions: changes may have been answered that it never heard of.
 */
export class LeaseRenewal {
  readonly #database: PostgresDatabase
  readonly #connection: DedicatedConnection
  readonly #options: RenewalOptions
  #node: number | undefined
  #timer: NodeJS.Timeout | undefined
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
    if (await this.#extend(SQL.renew, node, within)) return true
    const [touched] = await this.#connection.ask<{ current: boolean }>(SQL.touch, [node], within)
    if (touched?.current) await this.#extend(SQL.resume, node, within)
    return touched !== undefined
  }

  /** Returns whether the lease was renewed. */
  async #extend(statement: string, node: number, within: number): Promise<boolean> {
    const { clock, leaseTime } = this.#options
    // Before the statement is sent, so that the lease ends here before it ends in the database.
    const sent = LeaseClock.now()
    const [renewed] = await this.#connection.ask(statement, [node, leaseTime], within)
    if (renewed === undefined) return false
    if (node === this.#node) clock.renew(sent, leaseTime)
    return true
  }

  #fence(node: number): void {
    this.#node = undefined
    this.#options.clock.end()
    this.#options.onFenced(node)
  }
}
