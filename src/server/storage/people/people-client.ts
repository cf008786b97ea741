import type { PeopleWrites } from '../../people/store.ts'
import { transactionEnded } from '../sqlite/errors.ts'
import type { ArgsOf, ResultOf, TransactionRunner } from '../writer/transaction-runner.ts'

type Args<Name extends keyof PeopleWrites> = ArgsOf<PeopleWrites[Name]>

/** The transaction that the work of `transact` gets: until `end`, passes each call to the runner. */
export class PeopleClient implements PeopleWrites {
  readonly #runner: TransactionRunner
  readonly #file: string
  #ended = false

  constructor(runner: TransactionRunner, file: string) {
    this.#runner = runner
    this.#file = file
  }

  /** Ends it: every later read and write rejects with `StorageError`, `closed`. */
  end(): void {
    this.#ended = true
  }

  state(...args: Args<'state'>) {
    return this.#ask('state', args)
  }

  insertAccount(...args: Args<'insertAccount'>) {
    return this.#ask('insertAccount', args)
  }

  setPassword(...args: Args<'setPassword'>) {
    return this.#ask('setPassword', args)
  }

  setAccess(...args: Args<'setAccess'>) {
    return this.#ask('setAccess', args)
  }

  setDisabled(...args: Args<'setDisabled'>) {
    return this.#ask('setDisabled', args)
  }

  deleteAccount(...args: Args<'deleteAccount'>) {
    return this.#ask('deleteAccount', args)
  }

  insertSession(...args: Args<'insertSession'>) {
    return this.#ask('insertSession', args)
  }

  deleteSessions(...args: Args<'deleteSessions'>) {
    return this.#ask('deleteSessions', args)
  }

  insertLink(...args: Args<'insertLink'>) {
    return this.#ask('insertLink', args)
  }

  deleteLinks(...args: Args<'deleteLinks'>) {
    return this.#ask('deleteLinks', args)
  }

  setTotp(...args: Args<'setTotp'>) {
    return this.#ask('setTotp', args)
  }

  setRecoveryCodes(...args: Args<'setRecoveryCodes'>) {
    return this.#ask('setRecoveryCodes', args)
  }

  deleteRecoveryCode(...args: Args<'deleteRecoveryCode'>) {
    return this.#ask('deleteRecoveryCode', args)
  }

  insertPasskey(...args: Args<'insertPasskey'>) {
    return this.#ask('insertPasskey', args)
  }

  setPasskeyUse(...args: Args<'setPasskeyUse'>) {
    return this.#ask('setPasskeyUse', args)
  }

  deletePasskey(...args: Args<'deletePasskey'>) {
    return this.#ask('deletePasskey', args)
  }

  insertIdentity(...args: Args<'insertIdentity'>) {
    return this.#ask('insertIdentity', args)
  }

  deleteIdentity(...args: Args<'deleteIdentity'>) {
    return this.#ask('deleteIdentity', args)
  }

  appendAudit(...args: Args<'appendAudit'>) {
    return this.#ask('appendAudit', args)
  }

  async #ask<Name extends keyof PeopleWrites>(
    name: Name,
    args: Args<Name>,
  ): Promise<ResultOf<PeopleWrites[Name]>> {
    if (!this.#ended) return await this.#runner.call('people', name, args)
    throw transactionEnded(this.#file)
  }
}
