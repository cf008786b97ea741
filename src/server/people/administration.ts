import type { Actor } from '../../shared/events/audit.ts'
import { Refusal } from '../catalog/errors.ts'
import type { Access } from '../use-cases/access.ts'
import { isSameAccess, rolesInLog, storedAccess } from './access.ts'
import type { Account, Session } from './account.ts'
import type { Directory } from './directory.ts'
import { linksOf } from './links.ts'
import { sessionIdsOf } from './sessions.ts'
import { isActiveAdministrator, type PeopleSnapshot, type StoredAccount } from './snapshot.ts'

export interface Acting {
  readonly actor: Actor
  /** Their own account; null on the server's machine. */
  readonly accountId: string | null
  /** The `vouchedBy` of an account that they invite, raise or give a link; undefined for no change. */
  readonly voucher?: string | null | undefined
}

export interface EmailChange {
  /** Null for none. */
  readonly email: string | null
  /** The one that the form was filled in with. */
  readonly seen: string | null
}

/** How people, their roles and their sessions are administered. */
export class Administration {
  protected readonly directory: Directory

  constructor(directory: Directory) {
    this.directory = directory
  }

  /** Sets where mail for a person goes, if that is still what was `seen`. Throws `unknown_person` and `email_changed`. */
  async setEmail(
    { actor }: Pick<Acting, 'actor'>,
    accountId: string,
    { email, seen }: EmailChange,
  ): Promise<Account> {
    await this.directory.change(async ({ tx, stored, audit }) => {
      const { name, email: before } = requirePerson(stored, accountId).record
      if (before === email) return
      if (before !== seen) throw new Refusal({ code: 'email_changed', name, email: before })
      await tx.setEmail(accountId, email)
      await audit(actor, 'person.email_changed', { name, email: before }, { name, email })
    })
    return requirePerson(this.directory.snapshot, accountId).account
  }

  /** Replaces roles still `seen`. Throws `unknown_person`, `unknown_app`, `own_access`, `last_administrator`, `person_changed`. */
  async setAccess(by: Acting, accountId: string, access: Access, seen?: Access): Promise<Account> {
    const next = storedAccess(this.directory, access)
    await this.directory.change(async ({ tx, stored, audit }) => {
      const person = requireOther(stored, by, accountId)
      const { name } = person.record
      if (seen !== undefined && !isSameAccess(seen, person.account.access)) {
        throw new Refusal({ code: 'person_changed', name })
      }
      if (next.serverRole !== 'administrator') refuseLast(stored, person)
      const before = { name, ...rolesInLog(this.directory, person.account.access) }
      const after = { name, ...rolesInLog(this.directory, access) }
      if (JSON.stringify(before) === JSON.stringify(after)) return
      await tx.setAccess(accountId, next)
      if (by.voucher !== undefined) await tx.setVoucher(accountId, by.voucher)
      await audit(by.actor, 'person.role_changed', before, after)
    })
    return requirePerson(this.directory.snapshot, accountId).account
  }

  /** Disabling ends the account's sessions and voids its links. Throws `unknown_person`, `own_access` and `last_administrator`. */
  async setDisabled(by: Acting, accountId: string, isDisabled: boolean): Promise<Account> {
    await this.directory.change(async ({ tx, stored, at, audit }) => {
      const person = requireOther(stored, by, accountId)
      const { name, disabledAt } = person.record
      if ((disabledAt !== null) === isDisabled) return
      if (isDisabled) {
        refuseLast(stored, person)
        await tx.deleteSessions(sessionIdsOf(stored, accountId))
        await tx.deleteBrowsers(accountId, null)
        await tx.deleteLinks(linksOf(stored, accountId))
      }
      await tx.setDisabled(accountId, isDisabled ? at : null)
      await audit(by.actor, isDisabled ? 'person.disabled' : 'person.enabled', null, { name })
    })
    return requirePerson(this.directory.snapshot, accountId).account
  }

  /** Removes an account with all that belongs to it. Throws as `setDisabled` does. */
  async remove(by: Acting, accountId: string): Promise<void> {
    await this.directory.change(async ({ tx, stored, audit }) => {
      const person = requireOther(stored, by, accountId)
      refuseLast(stored, person)
      const { name } = person.record
      const before = { name, ...rolesInLog(this.directory, person.account.access) }
      await tx.deleteAccount(accountId)
      await audit(by.actor, 'person.removed', before, null)
    })
  }

  /** Turns off the second factors of somebody who has lost them. Throws `unknown_person` and `own_access`. */
  async resetSecondFactors(by: Acting, accountId: string): Promise<void> {
    await this.directory.change(async ({ tx, stored, audit }) => {
      const { record, totp } = requireOther(stored, by, accountId)
      if (totp === undefined) return
      await tx.setTotp(accountId, null)
      await tx.setRecoveryCodes(accountId, [])
      await audit(by.actor, 'person.totp_disabled', null, { name: record.name })
    })
  }

  /** Ends a session. Does nothing if it has ended. */
  async endSession({ actor }: Acting, sessionId: string): Promise<void> {
    await this.directory.change(async ({ tx, stored, audit }) => {
      const session = stored.sessionById.get(sessionId)
      const owner = session && stored.accountById.get(session.accountId)
      if (session === undefined || owner === undefined) return
      await tx.deleteSessions([sessionId])
      const before = { name: owner.record.name, address: session.address }
      await audit(actor, 'session.ended', before, null)
    })
  }

  /** Ends the other sessions of the account. Returns how many. */
  async endOtherSessions({ actor }: Acting, { id, account }: Session): Promise<number> {
    return await this.directory.change(async ({ tx, stored, audit }) => {
      const ids = sessionIdsOf(stored, account.id, id)
      await tx.deleteSessions(ids)
      await tx.deleteBrowsers(account.id, id)
      for (const { address } of ids.flatMap((other) => stored.sessionById.get(other) ?? [])) {
        await audit(actor, 'session.ended', { name: account.name, address }, null)
      }
      return ids.length
    })
  }

  /** Ends all sessions of an account. Returns how many. Throws `unknown_person`. */
  async endSessionsOf({ actor }: Acting, accountId: string): Promise<number> {
    return await this.directory.change(async ({ tx, stored, audit }) => {
      const { record, sessions } = requirePerson(stored, accountId)
      await tx.deleteSessions(sessions.map(({ id }) => id))
      await tx.deleteBrowsers(accountId, null)
      for (const { address } of sessions) {
        await audit(actor, 'session.ended', { name: record.name, address }, null)
      }
      return sessions.length
    })
  }
}

/** Returns the account. Throws `unknown_person`. */
export function requirePerson({ accountById }: PeopleSnapshot, id: string): StoredAccount {
  const person = accountById.get(id)
  if (person === undefined) throw new Refusal({ code: 'unknown_person', person: id })
  return person
}

function requireOther(stored: PeopleSnapshot, by: Acting, accountId: string): StoredAccount {
  if (by.accountId === accountId) throw new Refusal({ code: 'own_access' })
  return requirePerson(stored, accountId)
}

/** Refuses a change after which nobody could administer the server in the console. */
function refuseLast({ accounts }: PeopleSnapshot, person: StoredAccount): void {
  if (!isActiveAdministrator(person)) return
  if (accounts.some((other) => other !== person && isActiveAdministrator(other))) return
  throw new Refusal({ code: 'last_administrator', name: person.record.name })
}
