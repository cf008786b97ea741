import { Refusal } from '../catalog/errors.ts'
import type { DeliveryRecord } from '../outbound/outbox/store.ts'
import type { Access } from '../use-cases/access.ts'
import { rolesInLog, storedAccess } from './access.ts'
import type { Account, IssuedLink } from './account.ts'
import { type Acting, Administration, requirePerson } from './administration.ts'
import { issueLink } from './links.ts'
import { refuseTaken, requireSignInName } from './names.ts'

export interface NewPerson {
  readonly name: string
  readonly access: Access
  /** Where mail for them goes. */
  readonly email?: string | null | undefined
  /** Queued with the account; null for none. */
  readonly mail?: InvitationMail | null | undefined
}

/** Writes the mail of an invitation: its link, and who it invites. */
export type InvitationMail = (invitation: IssuedLink & { readonly name: string }) => DeliveryRecord

/** How people get links that they set a password with. */
export class Invitations extends Administration {
  /** Adds an account without a password, and the link to set one. Throws `name_taken`, `invalid_input` and `unknown_app`. */
  async invite(
    { actor, voucher = null }: Acting,
    input: NewPerson,
  ): Promise<IssuedLink & { readonly account: Account }> {
    const { name, key } = requireSignInName(input.name)
    const { serverRole, appRoles } = storedAccess(this.directory, input.access)
    const id = this.directory.newId()
    const link = await this.directory.change(async (change) => {
      const { tx, stored, at, audit } = change
      refuseTaken(stored, key)
      const { email = null } = input
      const shown = { name, nameKey: key, email, createdAt: at }
      await tx.insertAccount({ id, ...shown, serverRole, passwordHash: null, vouchedBy: voucher })
      await tx.setAccess(id, { serverRole, appRoles })
      const address = email === null ? {} : { email }
      const after = { name, ...address, ...rolesInLog(this.directory, input.access) }
      await audit(actor, 'person.invited', null, after)
      const issued = await issueLink(change, 'invitation', id)
      const mailed = input.mail?.({ ...issued, name })
      if (mailed !== undefined) await tx.insertMail(mailed)
      return issued
    })
    return { ...link, account: requirePerson(this.directory.snapshot, id).account }
  }

  /** Issues a link for a new password or another invitation; earlier ones are void. Throws `unknown_person` and `own_link`. */
  async createResetLink(
    { actor, accountId: ownId, voucher }: Acting,
    accountId: string,
  ): Promise<IssuedLink> {
    if (ownId === accountId) throw new Refusal({ code: 'own_link' })
    return await this.directory.change(async (change) => {
      const { record, account } = requirePerson(change.stored, accountId)
      const isNew = !account.hasPassword && account.passkeys.length === 0
      await change.audit(actor, 'person.reset_link_created', null, { name: record.name })
      if (voucher !== undefined) await change.tx.setVoucher(accountId, voucher)
      return await issueLink(change, isNew ? 'invitation' : 'reset', accountId)
    })
  }
}
