import type { ConfirmationMethod } from '../../../shared/access/person.ts'
import type { ConfirmationProof } from '../../../shared/console/people/people.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { Caller, Session } from '../account.ts'
import { requirePerson } from '../administration.ts'
import type { Directory } from '../directory.ts'
import { knownBrowser } from './known.ts'
import { type SignIn, useCode } from './sign-in.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import { changeEntry, type SignInEntries } from './sign-in-state.ts'

/** Milliseconds that a confirmation counts. */
const CONFIRMED_TIME = 10 * 60_000

interface Parts {
  readonly directory: Directory
  readonly signIn: SignIn
  readonly limits: SignInLimits
  readonly entries: SignInEntries
  /** Of the identity provider that signs people in now; undefined without one. */
  readonly issuer: string | undefined
}

/** Who has confirmed lately that it is them, by session, on all servers: a stolen cookie has not. In memory with SQLite. */
export class Confirmations {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Notes that the person has confirmed now. Of a sign-in as well: it asks for the same. */
  async note({ id, account }: Session): Promise<void> {
    const { entries, directory } = this.#parts
    const kept = { value: String(directory.now()), time: CONFIRMED_TIME }
    if (await entries.add(nameOf(id), { ...kept, owner: `confirmed ${account.id}` })) return
    await changeEntry(entries, nameOf(id), () => kept)
  }

  /** Returns whether the person has confirmed in the last ten minutes. */
  async has({ id }: Session): Promise<boolean> {
    const at = await this.#parts.entries.get(nameOf(id))
    return at !== undefined && this.#parts.directory.now() - Number(at) < CONFIRMED_TIME
  }

  /** Throws `confirmation_needed`, with the ways that the account has, unless the person has confirmed. */
  async require(session: Session): Promise<void> {
    if (await this.has(session)) return
    throw new Refusal({ code: 'confirmation_needed', methods: this.#methodsOf(session) })
  }

  /** Confirms with a password or code, as an attempt. Throws `current_password_wrong`, `second_factor_wrong`, `too_many_attempts`. */
  async confirm(session: Session, proof: ConfirmationProof, caller: Caller): Promise<void> {
    const { directory, signIn, limits } = this.#parts
    const stored = requirePerson(directory.snapshot, session.account.id)
    const { id, nameKey } = stored.record
    if ('password' in proof) {
      const isRight = await signIn.verify(nameKey, stored, proof.password, caller)
      if (!isRight) throw new Refusal({ code: 'current_password_wrong', path: ['password'] })
    } else {
      const takeBack = await limits.beginCode(id, knownBrowser(caller.browser, stored.record))
      await directory.change((change) =>
        useCode(change, requirePerson(change.stored, id), proof, caller),
      )
      await takeBack()
    }
    await this.note(session)
  }

  #methodsOf({ account: { id } }: Session): ConfirmationMethod[] {
    const { directory, issuer } = this.#parts
    const { account, totp } = requirePerson(directory.snapshot, id)
    const methods: ConfirmationMethod[] = []
    if (account.hasPassword) methods.push('password')
    if (totp !== undefined) methods.push('code')
    if (account.passkeys.length > 0) methods.push('passkey')
    if (account.identities.some((linked) => linked.issuer === issuer))
      methods.push('single_sign_on')
    return methods
  }
}

function nameOf(sessionId: string): string {
  return `confirmed:${sessionId}`
}
