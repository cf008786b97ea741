import { transactionEnded } from '../../interface/closed.ts'
import type { Transaction } from '../connection/database.ts'
import { type Part, raiseRevision } from './parts.ts'

/**
 * One transaction as its work uses it. Operations run one at a time, in the order of the calls: a savepoint of one would
 * otherwise contain statements of another. After the end, each rejects with `closed`.
 */
export class TransactionScope {
  /** The new revisions of the parts that were written. */
  readonly raised = new Map<Part, number>()
  readonly #transaction: Transaction
  #last: Promise<unknown> = Promise.resolve()
  #takesMore = true
  #isEnded = false

  constructor(transaction: Transaction) {
    this.#transaction = this.#whileOpen(transaction)
  }

  read<T>(question: (tx: Transaction) => Promise<T>): Promise<T> {
    if (!this.#takesMore) return Promise.reject(this.#ended())
    const result = this.#last.then(() => question(this.#transaction))
    this.#last = result.catch(() => {})
    return result
  }

  /** The first write raises the revision of its part. */
  write<T>(part: Part, write: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.read(async (tx) => {
      await this.raise(tx, part)
      return await write(tx)
    })
  }

  /** Raises the revision of a part, once. Only inside an operation. */
  async raise(tx: Transaction, part: Part): Promise<void> {
    if (!this.raised.has(part)) this.raised.set(part, await raiseRevision(tx, part))
  }

  /** Takes no more operations, and waits for those that were begun. */
  async finish(): Promise<void> {
    this.#takesMore = false
    await this.#last
  }

  /** Ends operations ahead of their next statement. No statement is sent after this resolves. */
  async end(): Promise<void> {
    this.#isEnded = true
    await this.finish()
  }

  #whileOpen(tx: Transaction): Transaction {
    const refuseEnded = () => {
      if (this.#isEnded) throw this.#ended()
    }
    return {
      location: tx.location,
      rows: async (statement, parameters) => {
        refuseEnded()
        return await tx.rows(statement, parameters)
      },
      row: async (statement, parameters) => {
        refuseEnded()
        return await tx.row(statement, parameters)
      },
      run: async (statement, parameters) => {
        refuseEnded()
        return await tx.run(statement, parameters)
      },
      attempt: async (work) => {
        refuseEnded()
        return await tx.attempt(work)
      },
    }
  }

  #ended() {
    return transactionEnded(this.#transaction.location)
  }
}
