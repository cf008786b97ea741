import { transactionEnded } from '../interface/storage-error.ts'
import type { Part, Statements } from './statements.ts'

/**
 * One transaction as its work uses it. Operations run one at a time, in the order of the calls: a savepoint of one would
 * otherwise contain statements of another. After the end, each rejects with `closed`.
 */
export class TransactionScope {
  /** The new revisions of the parts that were written. */
  readonly raised = new Map<Part, number>()
  /** Statements that raise no revision. */
  readonly quiet: Statements
  #last: Promise<unknown> = Promise.resolve()
  #isFinished = false

  constructor(transaction: Statements) {
    this.quiet = transaction
  }

  /** Statements of which the first write raises the revision of a part. Only inside an operation. */
  of(part: Part): Statements {
    const { quiet } = this
    const statements: Statements = {
      ...quiet,
      atOnce: (question) => question(statements),
      run: async (sql, parameters) => {
        await this.raise(part)
        return await quiet.run(sql, parameters)
      },
      written: async (sql, parameters) => {
        await this.raise(part)
        return await quiet.written(sql, parameters)
      },
      // Raised ahead: an attempt that fails would undo it.
      attempt: async (work) => {
        await this.raise(part)
        return await quiet.attempt(work)
      },
    }
    return statements
  }

  /** Raises the revision of a part, once. Only inside an operation. */
  async raise(part: Part): Promise<void> {
    if (!this.raised.has(part)) this.raised.set(part, await this.quiet.raise(part))
  }

  operate<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#isFinished) return Promise.reject(transactionEnded(this.quiet.location))
    const result = this.#last.then(operation)
    this.#last = result.catch(() => {})
    return result
  }

  /** Takes no more operations, and waits for those that were begun. */
  async finish(): Promise<void> {
    this.#isFinished = true
    await this.#last
  }
}
