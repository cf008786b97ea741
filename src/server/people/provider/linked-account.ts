import { Refusal } from '../../catalog/errors.ts'
import { type Account, boundedCaller, type Caller, type Identity, personActor } from '../account.ts'
import type { Directory } from '../directory.ts'
import { linkInvalid, linksOf, validLink } from '../links.ts'
import type { Sessions } from '../sessions.ts'
import { expired } from '../sign-in/sealed.ts'
import { identityKey, type StoredAccount } from '../snapshot.ts'

/** Returns the account of an identity, linked now if wanted. Throws `identity_unknown`, `sign_in_expired`, `link_invalid`, `identity_taken`. */
export async function accountFor(
  { directory, sessions }: { readonly directory: Directory; readonly sessions: Sessions },
  identity: Identity,
  {
    link,
    begun,
  }: {
    readonly link: string | undefined
    readonly begun: { readonly sessionId: string } | undefined
  },
  caller: Caller,
): Promise<string> {
  const found = directory.snapshot.accountByIdentity.get(identityKey(identity))
  if (link === undefined && begun === undefined) {
    if (found === undefined) throw new Refusal({ code: 'identity_unknown' })
    return found.record.id
  }
  return await directory.change(async ({ tx, stored, at, audit }) => {
    const owner = (id: string | undefined) =>
      id === undefined ? undefined : stored.accountById.get(id)
    const invited = link === undefined ? undefined : requireInvitation(directory, link, stored)
    const account = invited ?? owner(sessions.byId(begun?.sessionId ?? '')?.account.id)
    if (account === undefined) throw expired()
    const { id, name } = account.record
    const holder = stored.accountByIdentity.get(identityKey(identity))
    if (holder !== undefined && holder.record.id !== id) {
      throw new Refusal({ code: 'identity_taken', name: holder.record.name })
    }
    if (holder !== undefined) return id
    await tx.insertIdentity({ ...identity, accountId: id, createdAt: at })
    const actor = personActor(name, boundedCaller(caller))
    await audit(actor, 'person.identity_linked', null, { name, ...identity })
    if (invited === undefined) return id
    await tx.deleteLinks(linksOf(stored, id))
    await audit(actor, 'person.invitation_accepted', null, { name })
    return id
  })
}

/** Returns the account that the token of an invitation is for. Throws `link_invalid`. */
export function requireInvitation(
  directory: Directory,
  token: string,
  people = directory.snapshot,
): StoredAccount {
  const link = validLink(people, token, directory.now())
  const account = people.accountById.get(link?.accountId ?? '')
  if (link?.kind !== 'invitation' || account === undefined) throw linkInvalid()
  return account
}

/** Returns whether an identity signs in to an account. */
export function isLinked({ identities }: Pick<Account, 'identities'>, identity: Identity): boolean {
  return identities.some((linked) => identityKey(linked) === identityKey(identity))
}
