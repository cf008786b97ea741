import type { z } from 'zod'
import type { TotpEnrolment } from '../../shared/console/people/account.ts'
import { Refusal } from '../catalog/errors.ts'
import { boundedCaller, type Caller, type Identity, personActor, type Session } from './account.ts'
import { requirePerson } from './administration.ts'
import type { Directory, PeopleChange } from './directory.ts'
import {
  acceptedStep,
  drawRecoveryCodes,
  drawTotpSecret,
  ENROLMENT_TIME,
  Enrolment,
  recoveryCodeHash,
  totpUri,
} from './factors/codes.ts'
import { linksOf } from './links.ts'
import { relatedWords } from './names.ts'
import type { PasswordHasher } from './password/hasher.ts'
import type { StrengthCheck } from './password/strength.ts'
import { sessionIdsOf } from './sessions.ts'
import type { Confirmations } from './sign-in/confirmations.ts'
import { markBrowser } from './sign-in/known.ts'
import { Sealed } from './sign-in/sealed.ts'
import type { SignIn } from './sign-in/sign-in.ts'
import { identityKey, type StoredAccount } from './snapshot.ts'

interface Parts {
  readonly directory: Directory
  readonly signIn: SignIn
  readonly confirmations: Confirmations
  readonly hasher: PasswordHasher
  readonly checkStrength: StrengthCheck
  /** Of the identity provider that signs people in now; undefined without one. */
  readonly issuer: string | undefined
  /** See `Sealed`. */
  readonly key: Buffer
}

type OwnAudit = (action: string, before: unknown, after: unknown) => Promise<void>

/** What people do with their own accounts. */
export class OwnAccount {
  readonly #parts: Parts
  readonly #enrolments: Sealed<z.infer<typeof Enrolment>>

  constructor(parts: Parts) {
    this.#parts = parts
    const clock = () => parts.directory.now()
    this.#enrolments = new Sealed({
      ...{ key: parts.key, purpose: 'totp', schema: Enrolment, time: ENROLMENT_TIME, clock },
    })
  }

  /**
   * Sets a new password, and ends all other sessions. Returns what the browser keeps of it. Throws
   * `password_weak`, and as `confirmPassword` does.
   */
  async changePassword(
    session: Session,
    { current, next }: { readonly current: string; readonly next: string },
    caller: Caller,
  ): Promise<{ readonly browser: string | null }> {
    const { hasher, checkStrength } = this.#parts
    const { id: sessionId, account } = session
    const { passwordHash } = await this.confirmPassword(session, current, 'current', caller)
    await checkStrength(next, ['next'], relatedWords(account.name))
    const nextHash = await hasher.hash(next)
    await this.change(session, caller, async (stored, { tx, stored: all }, audit) => {
      if (stored.record.passwordHash !== passwordHash) throw currentWrong('current')
      await tx.setPassword(account.id, nextHash)
      await tx.deleteSessions(sessionIdsOf(all, account.id, sessionId))
      await tx.deleteBrowsers(account.id, sessionId)
      await tx.deleteLinks(linksOf(all, account.id))
      await audit('person.password_changed', null, { name: stored.record.name })
    })
    const owner = { id: account.id, passwordHash: nextHash }
    return { browser: markBrowser(caller.browser, owner) }
  }

  /**
   * Confirms that the person is who began the session, as a right password does; without one, that they have confirmed it
   * otherwise. Returns what was confirmed. Throws `current_password_wrong` with the path of the member, `sign_in_busy`,
   * `confirmation_needed` and `too_many_attempts`.
   */
  async confirmPassword(session: Session, password: string, member: string, caller: Caller) {
    const stored = requirePerson(this.#parts.directory.snapshot, session.account.id)
    const { nameKey, passwordHash } = stored.record
    if (passwordHash === null) {
      await this.#parts.confirmations.require(session)
      return { passwordHash }
    }
    const isRight = await this.#parts.signIn.verify(nameKey, stored, password, caller, true)
    if (!isRight) throw currentWrong(member)
    return { passwordHash }
  }

  /** Begins to turn on an authenticator app; `confirmTotp` turns it on. */
  beginTotp({ account }: Session): TotpEnrolment {
    const secret = drawTotpSecret()
    const enrolment = this.#enrolments.seal({ accountId: account.id, secret })
    return { enrolment, secret, uri: totpUri(secret, account.name) }
  }

  /**
   * Turns on the authenticator app that shows this code, in place of an earlier one. Returns recovery codes,
   * which are in this answer alone. Throws `sign_in_expired`, `second_factor_wrong`, and as
   * `confirmPassword` does.
   */
  async confirmTotp(
    session: Session,
    input: { readonly enrolment: string; readonly code: string; readonly password: string },
    caller: Caller,
  ): Promise<{ readonly recoveryCodes: readonly string[] }> {
    const { account } = session
    await this.confirmPassword(session, input.password, 'password', caller)
    const pending = this.#enrolments.open(input.enrolment)
    if (pending?.accountId !== account.id) throw new Refusal({ code: 'sign_in_expired' })
    const { secret } = pending
    const recoveryCodes = drawRecoveryCodes()
    await this.change(session, caller, async ({ record }, { tx, at }, audit) => {
      const lastStep = acceptedStep({ secret, lastStep: 0 }, input.code, Date.parse(at))
      if (lastStep === undefined) throw new Refusal({ code: 'second_factor_wrong' })
      await tx.setTotp(record.id, { secret, lastStep, createdAt: at })
      await tx.setRecoveryCodes(record.id, hashed(record.id, recoveryCodes))
      await audit('person.totp_enabled', null, { name: record.name })
    })
    return { recoveryCodes }
  }

  /** Turns the authenticator app and the recovery codes off. Throws as `confirmPassword` does. */
  async disableTotp(session: Session, password: string, caller: Caller): Promise<void> {
    await this.confirmPassword(session, password, 'password', caller)
    await this.change(session, caller, async ({ record, totp }, { tx }, audit) => {
      if (totp === undefined) return
      await tx.setTotp(record.id, null)
      await tx.setRecoveryCodes(record.id, [])
      await audit('person.totp_disabled', null, { name: record.name })
    })
  }

  /** Replaces the recovery codes, which are in this answer alone; none without an authenticator app. Throws as `disableTotp` does. */
  async replaceRecoveryCodes(
    session: Session,
    password: string,
    caller: Caller,
  ): Promise<{ readonly recoveryCodes: readonly string[] }> {
    await this.confirmPassword(session, password, 'password', caller)
    const codes = drawRecoveryCodes()
    const isOn = await this.change(session, caller, async ({ record, totp }, { tx }, audit) => {
      if (totp === undefined) return false
      await tx.setRecoveryCodes(record.id, hashed(record.id, codes))
      await audit('person.recovery_codes_created', null, { name: record.name })
      return true
    })
    return { recoveryCodes: isOn ? codes : [] }
  }

  /** Unlinks an identity from the account. Throws `unknown_identity`, `last_sign_in_method`, and as `confirmPassword` does. */
  async unlinkIdentity(
    session: Session,
    { issuer, subject }: Identity,
    password: string,
    caller: Caller,
  ): Promise<void> {
    await this.confirmPassword(session, password, 'password', caller)
    const key = identityKey({ issuer, subject })
    await this.change(session, caller, async ({ account: present }, { tx }, audit) => {
      const { name, hasPassword, passkeys, identities } = present
      const others = identities.filter((linked) => identityKey(linked) !== key)
      if (others.length === identities.length) throw new Refusal({ code: 'unknown_identity' })
      const canSignIn = others.some((other) => other.issuer === this.#parts.issuer)
      if (!hasPassword && passkeys.length === 0 && !canSignIn) {
        throw new Refusal({ code: 'last_sign_in_method' })
      }
      await tx.deleteIdentity(issuer, subject)
      await audit('person.identity_unlinked', { name, issuer, subject }, null)
    })
  }

  /** Changes the account of a session, as one transaction. `audit` names the person as who changed it. */
  change<T>(
    { account: { id } }: Session,
    caller: Caller,
    work: (stored: StoredAccount, change: PeopleChange, audit: OwnAudit) => Promise<T>,
  ): Promise<T> {
    return this.#parts.directory.change(async (change) => {
      const stored = requirePerson(change.stored, id)
      const actor = personActor(stored.record.name, boundedCaller(caller))
      return await work(stored, change, (...entry) => change.audit(actor, ...entry))
    })
  }
}

function hashed(accountId: string, codes: readonly string[]): string[] {
  return codes.map((code) => recoveryCodeHash(accountId, code))
}

function currentWrong(member: string): Refusal {
  return new Refusal({ code: 'current_password_wrong', path: [member] })
}
