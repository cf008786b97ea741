import {
  type LeaderFacts,
  type Leadership,
  type LeadershipName,
  NotLeadingError,
} from '../../../runtime/cluster/leadership.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import type { Queries } from '../connection/queries.ts'

const SQL = {
  // Locked, so that the next leader begins after this transaction.
  leads: 'SELECT term FROM leaders WHERE name = $1 AND node = $2 AND term = $3 FOR SHARE',
} as const

/** One time of leading, by one node. */
export interface Term {
  readonly node: number
  /** Grows with every change of the leader. */
  readonly term: number
}

interface Lead extends Term {
  readonly lost: AbortController
  /** How many works run. */
  running: number
}

/** The leadership of one task among the nodes of a database: at most one of them leads. See `LeaderSession`. */
export class PostgresLeadership implements Leadership {
  readonly name: LeadershipName
  readonly #onWish: () => void
  readonly #waiting = new Set<(lead: Lead) => void>()
  #lead: Lead | undefined

  /** `onWish`: `isWanted` has changed. */
  constructor(name: LeadershipName, onWish: () => void) {
    this.name = name
    this.#onWish = onWish
  }

  /** Some work runs, or waits. */
  get isWanted(): boolean {
    return this.#waiting.size > 0 || (this.#lead?.running ?? 0) > 0
  }

  get isLeading(): boolean {
    return this.#lead !== undefined
  }

  run<T>(work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const start = (lead: Lead) => this.#start(lead, work).then(resolve, reject)
      if (this.#lead !== undefined) {
        void start(this.#lead)
        return
      }
      this.#waiting.add(start)
      this.#onWish()
    })
  }

  /**
   * Checks in a transaction that this node leads, and keeps others from leading until it commits. `lost`: the signal of
   * the work that asks; an earlier one does not lead because a later one does. Rejects with `NotLeadingError`, after which
   * the transaction must not commit.
   */
  async assertLeads(transaction: Queries, lost?: AbortSignal): Promise<void> {
    const lead = this.#lead
    if (lead === undefined || (lost !== undefined && lost !== lead.lost.signal)) {
      throw new NotLeadingError(this.name)
    }
    const found = await transaction.row(SQL.leads, [this.name, lead.node, lead.term])
    if (found === undefined || lead !== this.#lead) throw new NotLeadingError(this.name)
  }

  /** This node leads now. */
  begin(term: Term): void {
    const lead = { ...term, lost: new AbortController(), running: 0 }
    this.#lead = lead
    const starts = [...this.#waiting]
    this.#waiting.clear()
    for (const start of starts) start(lead)
  }

  /** This node leads no longer. */
  lose(): void {
    const lead = this.#lead
    this.#lead = undefined
    lead?.lost.abort(new NotLeadingError(this.name))
  }

  async #start<T>(lead: Lead, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
    lead.running++
    try {
      return await work(lead.lost.signal)
    } finally {
      lead.running--
      if (!this.isWanted) this.#onWish()
    }
  }
}

const FACTS_SQL = {
  read: 'SELECT facts FROM leader_facts WHERE task = $1',
  write: `INSERT INTO leader_facts (task, facts) VALUES ($1, $2)
    ON CONFLICT (task) DO UPDATE SET facts = excluded.facts`,
} as const

/** Returns what leaders tell all nodes, in PostgreSQL. */
export function postgresLeaderFacts(
  database: PostgresDatabase,
  leadership: (task: LeadershipName) => Pick<PostgresLeadership, 'assertLeads'>,
): LeaderFacts {
  return {
    read: async (task) =>
      (await database.row<{ facts: string }>(FACTS_SQL.read, [task]))?.facts ?? null,
    write: (task, facts) =>
      database.transaction(async (tx) => {
        await leadership(task).assertLeads(tx)
        await tx.run(FACTS_SQL.write, [task, facts])
      }),
  }
}
