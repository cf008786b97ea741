import type { PageAccess } from '../../../shared/console/people/people.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import type { Account, IssuedLink, OpenLink, Session } from '../../people/account.ts'
import type { EmailChange } from '../../people/administration.ts'
import type { InvitationMail } from '../../people/invitations.ts'
import type { Acting, People } from '../../people/people.ts'
import { type Access, requireServerRole } from '../access.ts'
import { gains, guardedApps, refuseAlone, voucherOf } from '../approvals/second-person.ts'
import { findApp, type Principal } from '../principal.ts'

/** What the use cases about people work with. All need the role `administrator` on the server. */
export interface PeopleParts {
  readonly catalog: Catalog
  readonly people: People
  /** Returns what writes the mail of an invitation; null if this server sends none or offers no console elsewhere. */
  readonly invitationMail: (address: string) => InvitationMail | null
}

export interface Person {
  readonly account: Account
  readonly sessions: number
  readonly openLink: OpenLink | null
}

/** A link for an account. The token is in this answer alone. */
export interface PersonLink extends IssuedLink {
  readonly person: Person
}

/** Returns all accounts, by name. Throws `forbidden`. */
export async function listPeople(
  { people }: PeopleParts,
  { access }: Principal,
): Promise<readonly Person[]> {
  requireServerRole(access, 'administrator')
  return people.list().map((account) => personOf(people, account))
}

/** Returns the sessions of an account, last used first. Throws `forbidden` and `unknown`. */
export async function listSessions(
  { people }: PeopleParts,
  { access }: Principal,
  personId: string,
): Promise<readonly Session[]> {
  requireServerRole(access, 'administrator')
  return people.sessionsOf(personId)
}

/**
 * Adds an account, and the link to set its password. With an e-mail address the link is mailed too, if this server
 * sends mail and offers a console: `mailed` says whether it will be.
 * Throws `forbidden`, `duplicate`, `invalid` (name) and `unknown` (app).
 */
export async function invitePerson(
  { catalog, people, invitationMail }: PeopleParts,
  principal: Principal,
  input: { readonly name: string; readonly access: PageAccess; readonly email?: string | null },
): Promise<PersonLink & { readonly mailed: boolean }> {
  const snapshot = await catalog.refresh()
  const by = { ...administering(principal), voucher: voucherOf(principal, snapshot) }
  const access = accessOf(snapshot, principal, input.access)
  refuseAdministrator(principal, snapshot, { before: NO_ACCESS, after: access })
  const { name, email = null } = input
  const mail = email === null ? null : invitationMail(email)
  const { account, ...link } = await people.invite(by, { name, access, email, mail })
  return { ...link, mailed: mail !== null, person: personOf(people, account) }
}

/** Creates a link for a new password or another invitation; earlier ones are void. Throws `forbidden`, `unknown` and `invariant`. */
export async function createPersonLink(
  { catalog, people }: PeopleParts,
  principal: Principal,
  personId: string,
): Promise<PersonLink> {
  const acting = administering(principal)
  const by = { ...acting, voucher: voucherOf(principal, await catalog.refresh()) }
  const link = await people.createResetLink(by, personId)
  return { ...link, person: personOf(people, requireAccount(people, personId)) }
}

/**
 * Replaces the roles of an account. `seen`: those that the form was filled in with. Throws `forbidden`,
 * `unknown`, and `invariant` if they have changed since, for one's own account and for the last administrator.
 */
export async function setPersonAccess(
  { catalog, people }: PeopleParts,
  principal: Principal,
  personId: string,
  { access, seen }: { readonly access: PageAccess; readonly seen: PageAccess },
): Promise<Person> {
  const acting = administering(principal)
  const snapshot = await catalog.refresh()
  // The account is changed only if this is what it has.
  const change = {
    before: seenAccess(snapshot, seen),
    after: accessOf(snapshot, principal, access),
  }
  refuseAdministrator(principal, snapshot, change)
  // Raised by those at the server's computer, it keeps who else may be able to sign in to it.
  const isRaised = gains('release_manager', change, guardedApps(snapshot))
  const voucher = (isRaised && voucherOf(principal, snapshot)) || undefined
  const account = await people.setAccess(
    { ...acting, voucher },
    personId,
    change.after,
    change.before,
  )
  return personOf(people, account)
}

/** Sets where mail for a person goes. Throws `forbidden`, `unknown` and `invariant`. */
export async function setPersonEmail(
  { people }: PeopleParts,
  principal: Principal,
  personId: string,
  change: EmailChange,
): Promise<Person> {
  return personOf(people, await people.setEmail(administering(principal), personId, change))
}

/** Disables an account, which ends its sessions and voids its links, or enables it. Throws `forbidden`, `unknown` and `invariant`. */
export async function setPersonDisabled(
  { people }: PeopleParts,
  principal: Principal,
  personId: string,
  isDisabled: boolean,
): Promise<Person> {
  const account = await people.setDisabled(administering(principal), personId, isDisabled)
  return personOf(people, account)
}

/** Deletes an account. `confirmation`: its name. Throws `forbidden`, `unknown`, `invalid` and `invariant`. */
export async function removePerson(
  { people }: PeopleParts,
  principal: Principal,
  { id, confirmation }: { readonly id: string; readonly confirmation: string },
): Promise<void> {
  const by = administering(principal)
  const { name } = requireAccount(people, id)
  if (confirmation !== name) throw new Refusal({ code: 'unconfirmed', name })
  await people.remove(by, id)
}

/** Ends all sessions of an account. Returns how many. Throws `forbidden` and `unknown`. */
export async function endSessionsOf(
  { people }: PeopleParts,
  principal: Principal,
  personId: string,
): Promise<number> {
  return await people.endSessionsOf(administering(principal), personId)
}

/** Turns off the authenticator app and the recovery codes of an account. Throws `forbidden`, `unknown` and `invariant`. */
export async function resetTwoFactor(
  { people }: PeopleParts,
  principal: Principal,
  { id }: { readonly id: string },
): Promise<void> {
  await people.resetSecondFactors(administering(principal), id)
}

function administering({ access, actor, accountId }: Principal): Acting {
  requireServerRole(access, 'administrator')
  return { actor, accountId: accountId ?? null }
}

const NO_ACCESS: Access = { server: null, apps: new Map() }

/** An administrator can do what the second person is needed for, and bring in others. */
function refuseAdministrator(
  principal: Principal,
  snapshot: Snapshot,
  change: { readonly before: Access; readonly after: Access },
): void {
  const guarded = guardedApps(snapshot)
  const isGuarded = guarded.size > 0 && gains('administrator', change, guarded)
  refuseAlone(principal, isGuarded, 'administrator')
}

function accessOf(snapshot: Snapshot, principal: Principal, { server, apps }: PageAccess): Access {
  const keyOf = (app: string) => findApp(snapshot, principal, app, 'viewer').record.key
  return { server, apps: new Map(apps.map(({ app, role }) => [keyOf(app), role])) }
}

/** An app that was deleted since has taken its roles with it. */
function seenAccess({ apps: known }: Snapshot, { server, apps }: PageAccess): Access {
  const keys = new Map(known.map(({ record: { ref, key } }) => [ref, key]))
  const roles = apps.flatMap(({ app, role }) => {
    const key = keys.get(app)
    return key === undefined ? [] : [[key, role] as const]
  })
  return { server, apps: new Map(roles) }
}

function requireAccount(people: People, personId: string): Account {
  const account = people.account(personId)
  if (account === undefined) throw new Refusal({ code: 'unknown_person', person: personId })
  return account
}

function personOf(people: People, account: Account): Person {
  const sessions = people.sessionsOf(account.id).length
  return { account, sessions, openLink: people.openLinkOf(account.id) ?? null }
}
