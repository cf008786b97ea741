import type { LeadershipName } from '../../../runtime/cluster/leadership.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { LeaderLocks } from './leader-locks.ts'
import { PostgresLeadership } from './leadership.ts'
import type { OwnNode } from './own-node.ts'

/** Milliseconds between two attempts to lead, which also find out whether the connection lives. */
const INTERVAL = 400
/** Most milliseconds until a lost connection is tried again. */
const LONGEST_RETRY = 5_000

/** What leading needs of the node. */
export type LeadingNode = Pick<OwnNode, 'id' | 'mayServe' | 'leaseLeft'>

/**
 * What this node leads. It leads only while it has its lease and the connection that holds its locks, and tries to lead
 * only what some work waits for.
 */
export class LeaderSession {
  readonly #node: LeadingNode
  readonly #locks: LeaderLocks
  readonly #leaderships = new Map<LeadershipName, PostgresLeadership>()
  /** The node that leads: after it has joined again, it is another one. */
  #leader: number | undefined
  #timer: NodeJS.Timeout | undefined
  #leaseTimer: NodeJS.Timeout | undefined
  #turn: Promise<void> | undefined
  #isDue = false
  #isClosed = false
  #failures = 0

  constructor(database: PostgresDatabase, node: LeadingNode) {
    this.#node = node
    this.#locks = new LeaderLocks(database, () => this.#loseAll())
  }

  /** Returns the leadership of a task. */
  of(name: LeadershipName): PostgresLeadership {
    const known = this.#leaderships.get(name)
    if (known !== undefined) return known
    const leadership = new PostgresLeadership(name, () => this.#wake())
    this.#leaderships.set(name, leadership)
    return leadership
  }

  /** Gives up everything that this node leads, for good. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#loseAll()
    this.#locks.close()
    await this.#turn
  }

  #wake(): void {
    this.#isDue = true
    if (this.#turn !== undefined || this.#isClosed) return
    clearTimeout(this.#timer)
    this.#turn = this.#taken()
  }

  async #taken(): Promise<void> {
    this.#isDue = false
    try {
      await this.#lead()
      this.#failures = 0
    } catch {
      this.#failures++
    }
    this.#turn = undefined
    if (this.#isClosed) this.#locks.close()
    else if (this.#isDue && this.#failures === 0) this.#wake()
    else if (this.#isNeeded()) this.#timer = setTimeout(() => this.#wake(), this.#rest()).unref()
  }

  async #lead(): Promise<void> {
    if (!this.#isNeeded()) return
    if (!this.#mayLead()) {
      this.#giveUp()
      return
    }
    const all = [...this.#leaderships.values()]
    for (const leadership of all) if (!leadership.isWanted) await this.#release(leadership)
    const wanted = all.filter(({ isWanted, isLeading }) => isWanted && !isLeading)
    const taken = await this.#locks.take(wanted.map(({ name }) => name))
    for (const name of taken) await this.#begin(this.of(name))
  }

  async #begin(leadership: PostgresLeadership): Promise<void> {
    const { id } = this.#node
    const { name } = leadership
    const term = await this.#locks.begin(name, id).catch(() => undefined)
    if (term === undefined) {
      await this.#locks.release(name)
      return
    }
    if (this.#isClosed || !this.#locks.isOpen || !this.#mayLead()) return
    this.#leader = id
    leadership.begin(term)
    this.#watchLease()
  }

  async #release(leadership: PostgresLeadership): Promise<void> {
    if (!leadership.isLeading) return
    leadership.lose()
    await this.#locks.release(leadership.name)
  }

  #isNeeded(): boolean {
    return [...this.#leaderships.values()].some(({ isWanted, isLeading }) => isWanted || isLeading)
  }

  #mayLead(): boolean {
    const isSame = this.#leader === undefined || this.#leader === this.#node.id
    return isSame && this.#node.mayServe()
  }

  /** Others may lead now. */
  #giveUp(): void {
    this.#loseAll()
    this.#locks.close()
  }

  #loseAll(): void {
    clearTimeout(this.#leaseTimer)
    this.#leaseTimer = undefined
    this.#leader = undefined
    for (const leadership of this.#leaderships.values()) leadership.lose()
    if (!this.#isClosed && this.#turn === undefined) this.#retry()
  }

  #retry(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#wake(), this.#rest()).unref()
  }

  #rest(): number {
    return Math.min(LONGEST_RETRY, INTERVAL * 2 ** Math.max(0, this.#failures - 1))
  }

  /** Loses what it leads in the moment when the lease ends. */
  #watchLease(): void {
    clearTimeout(this.#leaseTimer)
    const check = () => {
      if (this.#mayLead()) this.#watchLease()
      else this.#giveUp()
    }
    this.#leaseTimer = setTimeout(check, this.#node.leaseLeft()).unref()
  }
}
