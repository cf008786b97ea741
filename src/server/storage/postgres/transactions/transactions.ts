import type { TransactOptions } from '../../../catalog/store.ts'
import { Mutex } from '../../../runtime/async/mutex.ts'
import type { LeadershipName } from '../../../runtime/cluster/leadership.ts'
import { StorageError, storeClosed } from '../../interface/storage-error.ts'
import { TransactionScope } from '../../relational/scope.ts'
import type { Part } from '../../relational/statements.ts'
import type { Changes } from '../changes/changes.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import type { Queries, Transaction } from '../connection/queries.ts'
import { openTransaction, statementsOf } from './open-transaction.ts'
import { LOCKS } from './parts.ts'

/** Milliseconds that a transaction waits for earlier ones, by default. */
const WITHIN = 5_000
/** Milliseconds after which a transaction whose work has not finished is undone. */
const WORK_TIME = 10_000
/** Maximum number of transactions that wait for their turn. */
const MAX_WAITING = 1_000

export interface PartOptions {
  /** Milliseconds that the work of a transaction may take, 10 s by default. */
  readonly workTime?: number | undefined
  /** Rejects with `NotLeadingError` unless this node leads, and else keeps others from leading until the commit. */
  readonly assertLeads?: ((tx: Queries, name: LeadershipName) => Promise<void>) | undefined
}

/** What a transaction does. `tx`: what only PostgreSQL has, in an operation of `scope`. */
type Work<T> = (scope: TransactionScope, tx: Transaction) => Promise<T>

/**
 * The transactions of a part: one at a time on this node, so that those that wait take no connections, and one at a time
 * among all nodes by a lock.
 */
export class PartTransactions {
  readonly #database: PostgresDatabase
  readonly #changes: Changes
  readonly #part: Part
  readonly #workTime: number
  readonly #assertLeads: NonNullable<PartOptions['assertLeads']>
  readonly #mutex: Mutex
  readonly #closing = new AbortController()

  constructor(
    database: PostgresDatabase,
    changes: Changes,
    part: Part,
    { workTime = WORK_TIME, assertLeads = async () => {} }: PartOptions = {},
  ) {
    this.#database = database
    this.#changes = changes
    this.#part = part
    this.#workTime = workTime
    this.#assertLeads = assertLeads
    this.#mutex = new Mutex({ waiting: MAX_WAITING, busy: () => tooBusy(database.location) })
  }

  /**
   * Runs `work` in a transaction that has locked the part. It is undone when `work` rejects or takes too long. The time
   * for the lock counts from here. Rejects with `busy` if it does not come in time, with `closed`, and with
   * `NotLeadingError` for work of a leader that this node no longer is.
   */
  async run<T>(work: Work<T>, { within = WITHIN, leading }: TransactOptions = {}): Promise<T> {
    this.refuseClosed()
    const deadline = performance.now() + within
    return await this.#mutex.run(async () => {
      this.refuseClosed()
      const lockTime = deadline - performance.now()
      const [result, raised] = await this.#database.transaction(
        async (tx) => {
          await tx.run(LOCKS[this.#part])
          if (leading !== undefined) await this.#assertLeads(tx, leading)
          const { open, end } = openTransaction(tx)
          const scope = new TransactionScope(statementsOf(open))
          try {
            return [await this.#inTime(complete(scope, work(scope, open))), scope.raised] as const
          } finally {
            end()
            await scope.finish()
          }
        },
        { lockTime },
      )
      for (const [part, revision] of raised) this.#changes.note(part, revision)
      return result
    }, within)
  }

  /** Throws `closed` after `close`. */
  refuseClosed(): void {
    if (this.#closing.signal.aborted) throw storeClosed(this.#database.location)
  }

  /** Undoes a transaction that is under way, and waits for that. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort(storeClosed(this.#database.location))
    const end = await this.#mutex.take()
    end()
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#closing
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      const detail = `the transaction took more than ${this.#workTime} ms and was undone`
      reject(new StorageError({ code: 'failed', file: this.#database.location, detail }))
    }, this.#workTime)
    const onClose = () => reject(signal.reason)
    signal.addEventListener('abort', onClose)
    try {
      if (signal.aborted) onClose()
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onClose)
    }
  }
}

async function complete<T>(scope: TransactionScope, work: Promise<T>): Promise<T> {
  const result = await work
  await scope.finish()
  return result
}

function tooBusy(file: string): StorageError {
  return new StorageError({ code: 'busy', file, circumstance: { kind: 'many_changes' } })
}
