import type { Actor } from '../../shared/audit.ts'
import { Refusal } from '../catalog/errors.ts'
import type { Access } from '../use-cases/access.ts'
import { isSameAccess, rolesInLog, storedAccess } from './access.ts'
import type { Account, Identity } from './account.ts'
import type { Directory } from './directory.ts'
import { linksOf } from './links.ts'
import { sessionIdsOf } from './sessions.ts'
import {
  identityKey,
  isActiveAdministrator,
  type PeopleSnapshot,
  type StoredAccount,
} from './snapshot.ts'

/** Who administers people. */
export interface Acting {
  readonly actor: Actor
  /** Their own account; null on the server's machine. */
  readonly accountId: string | null
  /** The `vouchedBy` of an account that they invite, raise or give a link; undefined for no change. */
  readonly voucher?: string | null | undefined
}

/** An e-mail address for an account. */
export interface EmailChange {
  /** Null for none. */
  readonly email: string | null
  /** The one that the form was filled in with. */
  readonly seen: string | null
}

/**
 * Sets where mail for a person goes, if that is still what was `seen`. Throws `unknown_person` and `email_changed`.
 */
export async function setEmail(
  directory: Directory,
  { actor }: Pick<Acting, 'actor'>,
  accountId: string,
  { email, seen }: EmailChange,
): Promise<Account> {
  await directory.change(async ({ tx, stored, audit }) => {
    const { name, email: before } = requirePerson(stored, accountId).record
    if (before === email) return
    if (before !== seen) throw new Refusal({ code: 'email_changed', name, email: before })
    await tx.setEmail(accountId, email)
    await audit(actor, 'person.email_changed', { name, email: before }, { name, email })
  })
  return requirePerson(directory.snapshot, accountId).account
}

/**
 * Replaces the roles of an account, if they are still those that were `seen`. Throws `unknown_person`,
 * `unknown_app`, `own_access`, `last_administrator` and `person_changed`.
 */
export async function setAccess(
  directory: Directory,
  by: Acting,
  accountId: string,
  access: Access,
  seen?: Access,
): Promise<Account> {
  const next = storedAccess(directory, access)
  await directory.change(async ({ tx, stored, audit }) => {
    const person = requireOther(stored, by, accountId)
    const { name } = person.record
    if (seen !== undefined && !isSameAccess(seen, person.account.access)) {
      throw new Refusal({ code: 'person_changed', name })
    }
    if (next.serverRole !== 'administrator') refuseLast(stored, person)
    const before = { name, ...rolesInLog(directory, person.account.access) }
    const after = { name, ...rolesInLog(directory, access) }
    if (JSON.stringify(before) === JSON.stringify(after)) return
    await tx.setAccess(accountId, next)
    if (by.voucher !== undefined) await tx.setVoucher(accountId, by.voucher)
    await audit(by.actor, 'person.role_changed', before, after)
  })
  return requirePerson(directory.snapshot, accountId).account
}

/** Disabling ends the account's sessions and voids its links. Throws `unknown_person`, `own_access` and `last_administrator`. */
export async function setDisabled(
  directory: Directory,
  by: Acting,
  accountId: string,
  isDisabled: boolean,
): Promise<Account> {
  await directory.change(async ({ tx, stored, at, audit }) => {
    const person = requireOther(stored, by, accountId)
    const { name, disabledAt } = person.record
    if ((disabledAt !== null) === isDisabled) return
    if (isDisabled) {
      refuseLast(stored, person)
      await tx.deleteSessions(sessionIdsOf(stored, accountId))
      await tx.deleteLinks(linksOf(stored, accountId))
    }
    await tx.setDisabled(accountId, isDisabled ? at : null)
    await audit(by.actor, isDisabled ? 'person.disabled' : 'person.enabled', null, { name })
  })
  return requirePerson(directory.snapshot, accountId).account
}

/** Removes an account with all that belongs to it. Throws as `setDisabled` does. */
export async function removePerson(
  directory: Directory,
  by: Acting,
  accountId: string,
): Promise<void> {
  await directory.change(async ({ tx, stored, audit }) => {
    const person = requireOther(stored, by, accountId)
    refuseLast(stored, person)
    const { name } = person.record
    const before = { name, ...rolesInLog(directory, person.account.access) }
    await tx.deleteAccount(accountId)
    await audit(by.actor, 'person.removed', before, null)
  })
}

/**
 * Turns off the authenticator app and the recovery codes of somebody who has lost them. Throws
 * `unknown_person` and `own_access`.
 */
export async function resetSecondFactors(
  directory: Directory,
  by: Acting,
  accountId: string,
): Promise<void> {
  await directory.change(async ({ tx, stored, audit }) => {
    const { record, totp } = requireOther(stored, by, accountId)
    if (totp === undefined) return
    await tx.setTotp(accountId, null)
    await tx.setRecoveryCodes(accountId, [])
    await audit(by.actor, 'person.totp_disabled', null, { name: record.name })
  })
}

/** Links an account to one of an identity provider. Throws `unknown_person` and `identity_taken` if it is linked. */
export async function linkIdentity(
  directory: Directory,
  { actor }: Acting,
  accountId: string,
  { issuer, subject }: Identity,
): Promise<void> {
  await directory.change(async ({ tx, stored, at, audit }) => {
    const { name } = requirePerson(stored, accountId).record
    const holder = stored.accountByIdentity.get(identityKey({ issuer, subject }))
    if (holder !== undefined) {
      throw new Refusal({ code: 'identity_taken', name: holder.record.name })
    }
    await tx.insertIdentity({ issuer, subject, accountId, createdAt: at })
    await audit(actor, 'person.identity_linked', null, { name, issuer, subject })
  })
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
