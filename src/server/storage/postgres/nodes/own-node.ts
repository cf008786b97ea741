import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresDatabase } from '../connection/database.ts'
import { LeaseClock } from './lease-clock.ts'
import { LeaseThread } from './lease-thread.ts'
import { OwnRecord } from './own-record.ts'
import {
  cleanUpNodes,
  giveUpLease,
  type NodeDescription,
  type NodeIdentity,
  type NodeRecord,
  register,
  type ServedPart,
  unregister,
} from './registration.ts'

/** Milliseconds between two times that a node cleans up after others. */
const CLEAN_UP_INTERVAL = 15_000
/** Milliseconds between two looks at whether the first lease is there. */
const LEASE_LOOK = 5
/** Milliseconds between attempts to join again: at first, and at most. */
const [FIRST_RETRY, LAST_RETRY] = [100, 5_000]

export interface NodeOptions extends NodeDescription {
  /** Milliseconds; 5 s by default. */
  readonly leaseTime?: number
  /** The revisions that it serves from the start; 0 by default. */
  readonly served?: NodeRecord['served']
}

/**
 * This process among the nodes that serve from a database. It may serve while it has a lease, which it gets as soon as it
 * serves the current revisions, and again after a lapse. A node that others have ended joins again as a new one.
 */
export class OwnNode {
  readonly #database: PostgresDatabase
  readonly #description: NodeDescription
  readonly #leaseTime: number
  readonly #clock = new LeaseClock()
  readonly #thread: LeaseThread
  readonly #record: OwnRecord
  readonly #listeners = new Set<() => void>()
  readonly #cleanUp: NodeJS.Timeout
  readonly #leaving = new AbortController()
  #identity: NodeIdentity
  #joining: Promise<void> | undefined
  #left: Promise<void> | undefined

  /** Joins with the lowest free slot. Rejects with `StorageError`, `busy` if no slot is free. */
  static async join(
    database: PostgresDatabase,
    { name, version, schema, leaseTime = 5_000, served = { catalog: 0, people: 0 } }: NodeOptions,
  ): Promise<OwnNode> {
    await cleanUpNodes(database)
    const description = { name, version, schema }
    const identity = await register(database, description, { address: null, state: {}, served })
    return new OwnNode(database, description, identity, leaseTime, served)
  }

  private constructor(
    database: PostgresDatabase,
    description: NodeDescription,
    identity: NodeIdentity,
    leaseTime: number,
    served: NodeRecord['served'],
  ) {
    this.#database = database
    this.#description = description
    this.#identity = identity
    this.#leaseTime = leaseTime
    this.#record = new OwnRecord(database, served, {
      id: () => this.id,
      onServed: () => {
        if (!this.mayServe()) this.#thread.beat()
      },
    })
    this.#thread = new LeaseThread({
      url: database.url,
      leaseTime,
      clock: this.#clock,
      onFenced: () => {
        this.#joining ??= this.#joinAgain()
      },
    })
    this.#thread.hold(identity.id)
    const cleanUp = () => void cleanUpNodes(database).catch(() => {})
    this.#cleanUp = setInterval(cleanUp, CLEAN_UP_INTERVAL).unref()
  }

  get id(): number {
    return this.#identity.id
  }

  /** The counters that it writes; see migration 0003. */
  get slot(): number {
    return this.#identity.slot
  }

  get name(): string {
    return this.#description.name
  }

  /**
   * Whether what this node has in memory may be served: no change has been answered without it. The lease ends here before
   * it ends for others.
   */
  mayServe(): boolean {
    return this.#clock.isLive()
  }

  /** Returns the milliseconds for which `mayServe` stays true without a renewal, rounded up. */
  leaseLeft(): number {
    return this.#clock.left()
  }

  /**
   * Calls `listener` whenever others had ended this node and it has joined again, with another id and slot: what was not
   * stored under the previous id never will be. Returns what removes the listener.
   */
  onFenced(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells others where this node is reached. Resolves once it is stored, with what was told before. */
  announce(address: string): Promise<void> {
    return this.#record.announce(address)
  }

  /** Tells others which revision it serves now. */
  setServed(part: ServedPart, revision: number): void {
    this.#record.setServed(part, revision)
  }

  /** Tells people and programs about this node. `state`: what JSON has; members that are left out stay as they were. */
  setState(state: object): void {
    this.#record.setState(state)
  }

  /** Resolves once it may serve, at the latest after the time of a lease. */
  async startServing(): Promise<void> {
    const last = performance.now() + this.#leaseTime
    while (!this.mayServe() && performance.now() < last) await delay(LEASE_LOOK)
  }

  /**
   * Gives up the lease for good: no change waits for this node any longer. What it has recorded can still be stored.
   * Resolves, at the latest after the time of a lease, though the database may not have heard of it. Idempotent.
   */
  async endServing(): Promise<void> {
    await this.#thread.close()
    const late = delay(this.#leaseTime, undefined, { ref: false })
    await Promise.race([giveUpLease(this.#database, this.id).catch(() => {}), late])
  }

  /**
   * Ends the node: it may no longer serve, and its slot is free. When the database does not answer in the time of a lease,
   * others end it. Idempotent.
   */
  leave(): Promise<void> {
    this.#left ??= this.#leave()
    return this.#left
  }

  async #leave(): Promise<void> {
    this.#leaving.abort()
    clearInterval(this.#cleanUp)
    await this.#thread.close()
    const late = delay(this.#leaseTime, undefined, { ref: false })
    await Promise.race([this.#end(), late])
  }

  async #end(): Promise<void> {
    await this.#joining
    await this.#record.close()
    await unregister(this.#database, this.id).catch(() => {})
  }

  async #joinAgain(): Promise<void> {
    const { signal } = this.#leaving
    for (let retry = FIRST_RETRY; !signal.aborted; retry = Math.min(2 * retry, LAST_RETRY)) {
      try {
        this.#identity = await register(this.#database, this.#description, this.#record)
        break
      } catch {
        await delay(retry, undefined, { signal, ref: false }).catch(() => {})
      }
    }
    this.#joining = undefined
    if (signal.aborted) return
    for (const listener of this.#listeners) listener()
    this.#record.rewrite()
    this.#thread.hold(this.id)
  }
}
