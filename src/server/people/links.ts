import type { Actor } from '../../shared/events/audit.ts'
import { Refusal } from '../catalog/errors.ts'
import {
  boundedCaller,
  type Caller,
  type IssuedLink,
  type LinkKind,
  type LinkView,
  type OpenLink,
  personActor,
  type SignInResult,
} from './account.ts'
import type { Directory, PeopleChange } from './directory.ts'
import { refuseTaken, relatedWords, requireSignInName } from './names.ts'
import type { PasswordHasher } from './password/hasher.ts'
import type { StrengthCheck } from './password/strength.ts'
import { sessionIdsOf } from './sessions.ts'
import type { SignIn } from './sign-in/sign-in.ts'
import type { PeopleSnapshot } from './snapshot.ts'
import type { LinkRecord } from './store.ts'
import { drawToken, hashToken, isToken } from './tokens.ts'

const HOUR = 3_600_000
/** Milliseconds that a link of each kind is valid. */
const VALID_FOR: Readonly<Record<LinkKind, number>> = {
  setup: HOUR / 4,
  invitation: 7 * 24 * HOUR,
  reset: 24 * HOUR,
}

interface Parts {
  readonly directory: Directory
  readonly signIn: SignIn
  readonly hasher: PasswordHasher
  readonly checkStrength: StrengthCheck
}

/** Creates the link that sets the server up; an earlier one is void. Throws `already_set_up`. */
export async function createSetupLink({
  directory,
}: Pick<Parts, 'directory'>): Promise<IssuedLink> {
  return await directory.change(async (change) => {
    const { tx, stored } = change
    if (stored.accounts.length > 0) throw new Refusal({ code: 'already_set_up' })
    await tx.deleteLinks(stored.links.map(({ tokenHash }) => tokenHash))
    return await issueLink(change, 'setup', null)
  })
}

/** Issues a link inside a transaction; earlier ones of the account are void. */
export async function issueLink(
  { tx, stored, at }: PeopleChange,
  kind: LinkKind,
  accountId: string | null,
): Promise<IssuedLink> {
  const token = drawToken()
  const expiresAt = new Date(Date.parse(at) + VALID_FOR[kind]).toISOString()
  if (accountId !== null) await tx.deleteLinks(linksOf(stored, accountId))
  await tx.insertLink({ tokenHash: hashToken(token), kind, accountId, createdAt: at, expiresAt })
  return { token, expiresAt }
}

/** The hashes of the links of an account. */
export function linksOf({ links }: PeopleSnapshot, accountId: string): string[] {
  return links.filter((link) => link.accountId === accountId).map(({ tokenHash }) => tokenHash)
}

/** Returns the valid link of an account; undefined if there is none. */
export function openLinkOf(directory: Directory, accountId: string): OpenLink | undefined {
  const { snapshot } = directory
  const link = snapshot.links.find((candidate) => candidate.accountId === accountId)
  if (link === undefined || link.kind === 'setup') return undefined
  const { kind, expiresAt } = link
  return Date.parse(expiresAt) > directory.now() ? { kind, expiresAt } : undefined
}

/** Returns what a link is for; undefined if it is not valid. */
export function lookUpLink(directory: Directory, token: string): LinkView | undefined {
  const { snapshot } = directory
  const link = validLink(snapshot, token, directory.now())
  if (link === undefined) return undefined
  const { kind, accountId, expiresAt } = link
  const owner = accountId === null ? undefined : snapshot.accountById.get(accountId)
  return { kind, name: owner?.record.name ?? null, expiresAt }
}

/**
 * Uses up a link: sets the password of its account, or creates the first one, ends the account's
 * sessions, and signs in, which a second factor can follow. Throws `link_invalid`, `password_weak`,
 * `invalid_input`, `sign_in_busy` and `too_many_attempts`.
 */
export async function acceptLink(
  { directory, signIn, hasher, checkStrength }: Parts,
  token: string,
  input: { readonly name?: string | undefined; readonly password: string },
  from: Caller,
): Promise<SignInResult> {
  const view = lookUpLink(directory, token)
  if (view === undefined) throw linkInvalid()
  const { name, key } = requireSignInName(view.name ?? input.name ?? '')
  await checkStrength(input.password, ['password'], relatedWords(name))
  const passwordHash = await hasher.hash(input.password)
  const caller = boundedCaller(from)
  const accountId = await directory.change(async (change) => {
    const { tx, stored, audit } = change
    const link = validLink(stored, token, directory.now())
    if (link === undefined) throw linkInvalid()
    const actor = personActor(name, caller)
    if (link.accountId === null) {
      const id = directory.newId()
      await insertFirst(change, { id, name, key, passwordHash }, actor)
      return id
    }
    await tx.setPassword(link.accountId, passwordHash)
    await tx.deleteLinks(linksOf(stored, link.accountId))
    await tx.deleteSessions(sessionIdsOf(stored, link.accountId))
    await tx.deleteBrowsers(link.accountId, null)
    const isInvitation = link.kind === 'invitation'
    const action = isInvitation ? 'person.invitation_accepted' : 'person.password_reset'
    await audit(actor, action, null, { name })
    return link.accountId
  })
  return await signIn.afterPassword(accountId, passwordHash, from)
}

/** Creates the first account, an administrator, if there is none. Returns whether it did. Throws `password_weak`, `invalid_input`. */
export async function createFirst(
  { directory, hasher, checkStrength }: Omit<Parts, 'signIn'>,
  input: { readonly name: string; readonly password: string },
  actor: Actor,
): Promise<boolean> {
  const { name, key } = requireSignInName(input.name)
  await checkStrength(input.password, ['password'], relatedWords(name))
  const passwordHash = await hasher.hash(input.password)
  return await directory.change(async (change) => {
    if (change.stored.accounts.length > 0) return false
    await insertFirst(change, { id: directory.newId(), name, key, passwordHash }, actor)
    return true
  })
}

/** Inserts the first account; setup links are void. */
async function insertFirst(
  { tx, stored, at, audit }: PeopleChange,
  { id, name, key, passwordHash }: Record<'id' | 'name' | 'key' | 'passwordHash', string>,
  actor: Actor,
): Promise<void> {
  refuseTaken(stored, key)
  const serverRole = 'administrator'
  const shown = { name, nameKey: key, email: null, createdAt: at }
  await tx.insertAccount({ id, ...shown, serverRole, passwordHash, vouchedBy: null })
  await tx.deleteLinks(stored.links.map(({ tokenHash }) => tokenHash))
  await audit(actor, 'person.created', null, { name, serverRole, appRoles: [] })
}

/** Returns the link if it can be used: it is known, has not expired, and its account is enabled. */
export function validLink(
  { linkByTokenHash, accountById, accounts }: PeopleSnapshot,
  token: string,
  now: number,
): LinkRecord | undefined {
  if (!isToken(token)) return undefined
  const link = linkByTokenHash.get(hashToken(token))
  if (link === undefined || Date.parse(link.expiresAt) <= now) return undefined
  if (link.accountId === null) return accounts.length === 0 ? link : undefined
  return accountById.get(link.accountId)?.record.disabledAt === null ? link : undefined
}

/** The refusal of a link that is unknown, expired or was used. */
export function linkInvalid(): Refusal {
  return new Refusal({ code: 'link_invalid' })
}
