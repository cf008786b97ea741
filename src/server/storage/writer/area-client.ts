import { transactionEnded } from '../interface/closed.ts'
import type { Areas, ArgsOf, ResultOf, TransactionRunner } from './transaction-runner.ts'

/** The transaction that the work of `transact` gets: until `end`, passes each call of an area to the runner. */
export abstract class AreaClient<Area extends keyof Areas> {
  readonly #area: Area
  readonly #runner: TransactionRunner
  readonly #file: string
  #ended = false

  constructor(area: Area, runner: TransactionRunner, file: string) {
    this.#area = area
    this.#runner = runner
    this.#file = file
  }

  /** Ends it: every later read and write rejects with `StorageError`, `closed`. */
  end(): void {
    this.#ended = true
  }

  protected async ask<Name extends keyof Areas[Area] & string>(
    name: Name,
    args: ArgsOf<Areas[Area][Name]>,
  ): Promise<ResultOf<Areas[Area][Name]>> {
    if (!this.#ended) return await this.#runner.call(this.#area, name, args)
    throw transactionEnded(this.#file)
  }
}
