import type { CatalogWrites } from '../../catalog/store.ts'
import { transactionEnded } from '../sqlite/errors.ts'
import type { ArgsOf, ResultOf, TransactionRunner } from '../writer/transaction-runner.ts'

type CallArgs<Name extends keyof CatalogWrites> = ArgsOf<CatalogWrites[Name]>
type CallResult<Name extends keyof CatalogWrites> = ResultOf<CatalogWrites[Name]>

/** The transaction that the work of `transact` gets: until `end`, passes each call to the runner. */
export class TransactionClient implements CatalogWrites {
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

  revision(...args: CallArgs<'revision'>) {
    return this.#ask('revision', args)
  }

  apps(...args: CallArgs<'apps'>) {
    return this.#ask('apps', args)
  }

  channels(...args: CallArgs<'channels'>) {
    return this.#ask('channels', args)
  }

  release(...args: CallArgs<'release'>) {
    return this.#ask('release', args)
  }

  releasePage(...args: CallArgs<'releasePage'>) {
    return this.#ask('releasePage', args)
  }

  keys(...args: CallArgs<'keys'>) {
    return this.#ask('keys', args)
  }

  changeRequests(...args: CallArgs<'changeRequests'>) {
    return this.#ask('changeRequests', args)
  }

  changeRequest(...args: CallArgs<'changeRequest'>) {
    return this.#ask('changeRequest', args)
  }

  countOpenChangeRequests(...args: CallArgs<'countOpenChangeRequests'>) {
    return this.#ask('countOpenChangeRequests', args)
  }

  expiredChangeRequests(...args: CallArgs<'expiredChangeRequests'>) {
    return this.#ask('expiredChangeRequests', args)
  }

  audit(...args: CallArgs<'audit'>) {
    return this.#ask('audit', args)
  }

  auditOf(...args: CallArgs<'auditOf'>) {
    return this.#ask('auditOf', args)
  }

  lastAuditId(...args: CallArgs<'lastAuditId'>) {
    return this.#ask('lastAuditId', args)
  }

  countAudit(...args: CallArgs<'countAudit'>) {
    return this.#ask('countAudit', args)
  }

  auditIn(...args: CallArgs<'auditIn'>) {
    return this.#ask('auditIn', args)
  }

  insertApp(...args: CallArgs<'insertApp'>) {
    return this.#ask('insertApp', args)
  }

  setAppName(...args: CallArgs<'setAppName'>) {
    return this.#ask('setAppName', args)
  }

  setArchived(...args: CallArgs<'setArchived'>) {
    return this.#ask('setArchived', args)
  }

  insertChannel(...args: CallArgs<'insertChannel'>) {
    return this.#ask('insertChannel', args)
  }

  setPolicy(...args: CallArgs<'setPolicy'>) {
    return this.#ask('setPolicy', args)
  }

  insertRelease(...args: CallArgs<'insertRelease'>) {
    return this.#ask('insertRelease', args)
  }

  setServing(...args: CallArgs<'setServing'>) {
    return this.#ask('setServing', args)
  }

  insertKey(...args: CallArgs<'insertKey'>) {
    return this.#ask('insertKey', args)
  }

  setRevoked(...args: CallArgs<'setRevoked'>) {
    return this.#ask('setRevoked', args)
  }

  insertChangeRequest(...args: CallArgs<'insertChangeRequest'>) {
    return this.#ask('insertChangeRequest', args)
  }

  closeChangeRequest(...args: CallArgs<'closeChangeRequest'>) {
    return this.#ask('closeChangeRequest', args)
  }

  removeChangeRequests(...args: CallArgs<'removeChangeRequests'>) {
    return this.#ask('removeChangeRequests', args)
  }

  requestErasure(...args: CallArgs<'requestErasure'>) {
    return this.#ask('requestErasure', args)
  }

  appendAudit(...args: CallArgs<'appendAudit'>) {
    return this.#ask('appendAudit', args)
  }

  async #ask<Name extends keyof CatalogWrites>(
    name: Name,
    args: CallArgs<Name>,
  ): Promise<CallResult<Name>> {
    if (!this.#ended) return await this.#runner.call('catalog', name, args)
    throw transactionEnded(this.#file)
  }
}
