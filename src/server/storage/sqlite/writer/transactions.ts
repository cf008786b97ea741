import type { TransactOptions } from '../../../catalog/store.ts'
import { Mutex } from '../../../runtime/async/mutex.ts'
import { within } from '../../../runtime/async/within.ts'
import { StorageError, storeClosed, transactionEnded } from '../../interface/storage-error.ts'
import type { Areas } from '../../relational/areas.ts'
import { BUSY_TIMEOUT } from '../database.ts'
import {
  type TransactionRunner,
  WriterConnection,
  type WriterConnectionOptions,
  writerThread,
} from './writer-connection.ts'

/** Milliseconds after which a transaction whose work has not finished is rolled back. */
const WORK_TIME = 10_000
/** Maximum number of transactions that wait for their turn. */
const MAX_WAITING = 1_000

export interface TransactionsOptions extends WriterConnectionOptions {
  /** Runs transactions on a separate thread, which does not checkpoint. */
  readonly thread?: boolean | undefined
  /** Milliseconds that the work of a transaction may take, 10 s by default. */
  readonly workTime?: number | undefined
  /** Called before every write; if it rejects, nothing is written. */
  readonly beforeWrite?: (() => Promise<void>) | undefined
}

/** The transactions of a prepared database, one at a time, on a connection of their own. */
export class Transactions {
  readonly #file: string
  readonly #runner: TransactionRunner
  readonly #workTime: number
  readonly #beforeWrite: () => Promise<void>
  readonly #mutex: Mutex
  #isClosed = false

  /** Throws `StorageError` if the database cannot be opened on this thread. */
  constructor(file: string, options: TransactionsOptions) {
    const { thread = false, workTime = WORK_TIME, beforeWrite, ...connection } = options
    this.#file = file
    this.#mutex = new Mutex({ waiting: MAX_WAITING, busy: () => tooBusy(file) })
    this.#workTime = workTime
    this.#beforeWrite = beforeWrite ?? (async () => {})
    this.#runner = thread ? writerThread(file) : new WriterConnection(file, connection)
  }

  /** Runs `work` with an area of one transaction, and rolls it back if the work fails or takes too long. */
  async transact<Area extends keyof Areas, T>(
    name: Area,
    work: (area: Areas[Area]) => Promise<T>,
    options: TransactOptions = {},
  ): Promise<T> {
    return await this.#run(async (runner) => {
      const { area, end } = areaClient(name, runner, this.#file)
      try {
        return await within(this.#workTime, work(area), () => this.#late())
      } finally {
        end()
      }
    }, options)
  }

  /**
   * Runs `work` between begin and commit. The time for the lock counts from here, so that the waiting
   * times do not add up.
   */
  async #run<T>(
    work: (runner: TransactionRunner) => Promise<T>,
    { within = BUSY_TIMEOUT }: TransactOptions = {},
  ): Promise<T> {
    this.#refuseClosed()
    const deadline = performance.now() + within
    return await this.#mutex.run(async () => {
      this.#refuseClosed()
      await this.#beforeWrite()
      await this.#runner.begin(Math.max(0, deadline - performance.now()))
      try {
        const result = await work(this.#runner)
        this.#refuseClosed()
        await this.#runner.commit()
        return result
      } catch (error) {
        await this.#rollback()
        throw error
      }
    }, within)
  }

  /** Closes the connection. A transaction that is under way is undone. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#runner.close()
  }

  /** Keeps the error of the transaction if the rollback fails for the same reason. */
  async #rollback(): Promise<void> {
    if (!this.#isClosed) await this.#runner.rollback().catch(() => {})
  }

  #late(): never {
    const detail = `the transaction took more than ${this.#workTime} ms and was undone`
    throw new StorageError({ code: 'failed', file: this.#file, detail })
  }

  #refuseClosed(): void {
    if (this.#isClosed) throw storeClosed(this.#file)
  }
}

function tooBusy(file: string): StorageError {
  return new StorageError({ code: 'busy', file, circumstance: { kind: 'many_changes' } })
}

/** An area of the transaction that the work of `transact` gets. */
interface AreaClient<Area extends keyof Areas> {
  readonly area: Areas[Area]
  /** Ends it: every later read and write rejects with `StorageError`, `closed`. */
  end(): void
}

/** Returns an area that passes each call to the runner. `file`: the database, for errors. */
function areaClient<Area extends keyof Areas>(
  area: Area,
  runner: TransactionRunner,
  file: string,
): AreaClient<Area> {
  let isEnded = false
  const call = async (name: string, args: readonly unknown[]) => {
    if (isEnded) throw transactionEnded(file)
    return await runner.call(area, name, args)
  }
  const methods = new Proxy(Object.create(null), {
    // Whoever awaits the area asks it for `then`.
    get: (_, name) =>
      typeof name === 'symbol' || name === 'then'
        ? undefined
        : (...args: readonly unknown[]) => call(name, args),
  })
  return {
    area: methods,
    end: () => {
      isEnded = true
    },
  }
}
