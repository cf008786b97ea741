import type { PeopleWrites } from '../../people/store.ts'
import { AreaClient } from '../writer/area-client.ts'
import type { ArgsOf, TransactionRunner } from '../writer/transaction-runner.ts'

type Args<Name extends keyof PeopleWrites> = ArgsOf<PeopleWrites[Name]>

/** The people of a transaction. */
export class PeopleClient extends AreaClient<'people'> implements PeopleWrites {
  constructor(runner: TransactionRunner, file: string) {
    super('people', runner, file)
  }

  state(...args: Args<'state'>) {
    return this.ask('state', args)
  }

  insertAccount(...args: Args<'insertAccount'>) {
    return this.ask('insertAccount', args)
  }

  setEmail(...args: Args<'setEmail'>) {
    return this.ask('setEmail', args)
  }

  setPassword(...args: Args<'setPassword'>) {
    return this.ask('setPassword', args)
  }

  setVoucher(...args: Args<'setVoucher'>) {
    return this.ask('setVoucher', args)
  }

  setAccess(...args: Args<'setAccess'>) {
    return this.ask('setAccess', args)
  }

  setDisabled(...args: Args<'setDisabled'>) {
    return this.ask('setDisabled', args)
  }

  deleteAccount(...args: Args<'deleteAccount'>) {
    return this.ask('deleteAccount', args)
  }

  insertSession(...args: Args<'insertSession'>) {
    return this.ask('insertSession', args)
  }

  deleteSessions(...args: Args<'deleteSessions'>) {
    return this.ask('deleteSessions', args)
  }

  insertLink(...args: Args<'insertLink'>) {
    return this.ask('insertLink', args)
  }

  deleteLinks(...args: Args<'deleteLinks'>) {
    return this.ask('deleteLinks', args)
  }

  setTotp(...args: Args<'setTotp'>) {
    return this.ask('setTotp', args)
  }

  setRecoveryCodes(...args: Args<'setRecoveryCodes'>) {
    return this.ask('setRecoveryCodes', args)
  }

  deleteRecoveryCode(...args: Args<'deleteRecoveryCode'>) {
    return this.ask('deleteRecoveryCode', args)
  }

  insertPasskey(...args: Args<'insertPasskey'>) {
    return this.ask('insertPasskey', args)
  }

  setPasskeyUse(...args: Args<'setPasskeyUse'>) {
    return this.ask('setPasskeyUse', args)
  }

  deletePasskey(...args: Args<'deletePasskey'>) {
    return this.ask('deletePasskey', args)
  }

  insertIdentity(...args: Args<'insertIdentity'>) {
    return this.ask('insertIdentity', args)
  }

  deleteIdentity(...args: Args<'deleteIdentity'>) {
    return this.ask('deleteIdentity', args)
  }

  appendAudit(...args: Args<'appendAudit'>) {
    return this.ask('appendAudit', args)
  }

  insertMail(...args: Args<'insertMail'>) {
    return this.ask('insertMail', args)
  }
}
