import type { PasskeyAssertion, PasskeyRegistration } from '../../../shared/access/person.ts'
import { DisplayName } from '../../../shared/names.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { Caller, Session, SignedIn } from '../account.ts'
import { requirePerson } from '../administration.ts'
import type { Directory, PeopleChange } from '../directory.ts'
import type { OwnAccount } from '../own-account.ts'
import type { Confirmations } from '../sign-in/confirmations.ts'
import { expired, Sealed } from '../sign-in/sealed.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { SignInLimits } from '../sign-in/sign-in-limits.ts'
import type { SignInEntries } from '../sign-in/sign-in-state.ts'
import { UsedOnce } from '../sign-in/used-once.ts'
import type { PasskeyRecord } from '../store.ts'
import { Ceremony, expected, library, rejected, type Site, verified } from './passkey-ceremony.ts'

/** Milliseconds that a person has to use a passkey. */
const CEREMONY_TIME = 5 * 60_000
/** Most passkeys of an account. */
const MAX_PASSKEYS = 20
const PRODUCT = 'Tidegate'

interface Answered {
  readonly ceremony: string
  readonly response: PasskeyAssertion
}

interface Parts {
  readonly directory: Directory
  readonly signIn: SignIn
  readonly own: OwnAccount
  readonly confirmations: Confirmations
  readonly limits: SignInLimits
  readonly entries: SignInEntries
  /** See `Sealed`. */
  readonly key: Buffer
}

/** Passkeys, which sign in without a name. The authenticator verifies the person, so no second factor follows. */
export class Passkeys {
  readonly #parts: Parts
  readonly #ceremonies: Sealed<Ceremony>
  /** The challenges that a passkey has answered: many passkeys do not count their uses. */
  readonly #answered: UsedOnce

  constructor(parts: Parts) {
    this.#parts = parts
    const clock = () => parts.directory.now()
    const { entries, key } = parts
    const time = CEREMONY_TIME
    this.#ceremonies = new Sealed({ key, purpose: 'passkey', schema: Ceremony, time, clock })
    this.#answered = new UsedOnce({ entries, kind: 'passkey', time })
  }

  /** Begins to make a passkey. Returns what the browser needs, and the token for `register`. Throws `too_many_passkeys`. */
  async registrationOptions({ account }: Session, { rpId, origin }: Site) {
    const { passkeys, record } = requirePerson(this.#parts.directory.snapshot, account.id)
    refuseTooMany(passkeys)
    const { generateRegistrationOptions } = await library()
    const options = await generateRegistrationOptions({
      ...{ rpName: PRODUCT, rpID: rpId, userName: record.name, attestationType: 'none' },
      userID: new TextEncoder().encode(account.id),
      excludeCredentials: passkeys.map(credentialOf),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const { challenge } = options
    const ceremony = this.#ceremonies.seal({ rpId, origin, challenge, accountId: account.id })
    return { ceremony, options }
  }

  /**
   * Adds the passkey that the browser made. Throws `sign_in_expired`, `passkey_rejected`, `passkey_exists`,
   * `too_many_passkeys`, `invalid_input` (name), and as `OwnAccount.confirmPassword` does.
   */
  async register(
    session: Session,
    input: {
      readonly ceremony: string
      readonly response: PasskeyRegistration
      readonly name: string
      readonly password: string
    },
    caller: Caller,
  ): Promise<void> {
    const { account } = session
    await this.#parts.own.confirmPassword(session, input.password, 'password', caller)
    const begun = this.#ceremonies.open(input.ceremony)
    if (begun?.accountId !== account.id) throw expired()
    const { verifyRegistrationResponse } = await library()
    const { registrationInfo } = await verified(() =>
      verifyRegistrationResponse({ response: input.response, ...expected(begun) }),
    )
    if (registrationInfo === undefined) throw rejected()
    if (!(await this.#answered.add(begun.challenge))) throw expired()
    const { id, publicKey, counter } = registrationInfo.credential
    const { transports } = input.response.response
    const name = DisplayName.catch(PRODUCT).parse(input.name)
    await this.#parts.own.change(session, caller, async (person, { tx, stored, at }, audit) => {
      refuseTooMany(person.passkeys)
      if (stored.passkeyById.has(id)) throw new Refusal({ code: 'passkey_exists' })
      await tx.insertPasskey({
        ...{ id, accountId: account.id, name, counter, transports, createdAt: at },
        publicKey: Buffer.from(publicKey).toString('base64url'),
      })
      await audit('person.passkey_added', null, { name: person.record.name, passkey: name })
    })
  }

  /** Begins to sign in, or to confirm a session. Returns what the browser needs, and the token for `signIn` or `confirm`. */
  async signInOptions({ rpId, origin }: Site, session?: Session) {
    const { generateAuthenticationOptions } = await library()
    const accountId = session?.account.id ?? null
    const own = this.#parts.directory.snapshot.accountById.get(accountId ?? '')?.passkeys
    const options = await generateAuthenticationOptions({
      rpID: rpId,
      userVerification: 'required',
      ...(own && { allowCredentials: own.map(credentialOf) }),
    })
    const { challenge } = options
    const ceremony = this.#ceremonies.seal({ rpId, origin, challenge, accountId })
    return { ceremony, options }
  }

  /** Signs in with a passkey. Throws `sign_in_expired`, `passkey_rejected`, `sign_in_failed` and `too_many_attempts`. */
  async signIn(input: Answered, caller: Caller): Promise<SignedIn> {
    return await this.#parts.limits.counting(caller, async () => {
      const { accountId, use } = await this.#verify(input, null)
      return await this.#parts.signIn.begin(accountId, caller, (_, change) => use(change))
    })
  }

  /** Confirms a session with a passkey of its account. Throws as `signIn` does. */
  async confirm(session: Session, input: Answered, caller: Caller): Promise<void> {
    await this.#parts.limits.counting(caller, async () => {
      const { use } = await this.#verify(input, session.account.id)
      await this.#parts.directory.change(use)
    })
    await this.#parts.confirmations.note(session)
  }

  /** Verifies an answer. `begunFor`: the account whose session is confirmed; null if somebody signs in. */
  async #verify({ ceremony, response }: Answered, begunFor: string | null) {
    const begun = this.#ceremonies.open(ceremony)
    if (begun === undefined || begun.accountId !== begunFor) throw expired()
    if (await this.#answered.has(begun.challenge)) throw expired()
    const passkey = this.#parts.directory.snapshot.passkeyById.get(response.id)
    if (passkey === undefined) throw rejected()
    const { id, counter, accountId } = passkey
    if (begunFor !== null && accountId !== begunFor) throw rejected()
    const { verifyAuthenticationResponse } = await library()
    // The library refuses a counter that did not grow: the passkey may have been copied.
    const { authenticationInfo } = await verified(() =>
      verifyAuthenticationResponse({
        ...{ response, ...expected(begun) },
        credential: { id, counter, publicKey: Buffer.from(passkey.publicKey, 'base64url') },
      }),
    )
    if (!(await this.#answered.add(begun.challenge))) throw expired()
    const { newCounter } = authenticationInfo
    const use = async ({ tx, stored, at }: PeopleChange) => {
      if (stored.passkeyById.get(id)?.counter !== counter) throw rejected()
      await tx.setPasskeyUse(id, newCounter, at)
    }
    return { accountId, use }
  }

  /** Deletes a passkey of the account. Throws `unknown_passkey`, `last_sign_in_method`, and as `OwnAccount.confirmPassword` does. */
  async remove(
    session: Session,
    { id, password }: { readonly id: string; readonly password: string },
    caller: Caller,
  ): Promise<void> {
    const { own } = this.#parts
    await own.confirmPassword(session, password, 'password', caller)
    await own.change(session, caller, async ({ record, passkeys, account }, { tx }, audit) => {
      const passkey = passkeys.find((candidate) => candidate.id === id)
      if (passkey === undefined) throw new Refusal({ code: 'unknown_passkey' })
      const others = account.hasPassword || account.identities.length > 0 || passkeys.length > 1
      if (!others) throw new Refusal({ code: 'last_sign_in_method' })
      await tx.deletePasskey(id)
      const before = { name: record.name, passkey: passkey.name }
      await audit('person.passkey_removed', before, null)
    })
  }
}

function credentialOf({ id, transports }: PasskeyRecord) {
  return { id, transports: [...transports] }
}

function refuseTooMany(passkeys: readonly PasskeyRecord[]): void {
  if (passkeys.length < MAX_PASSKEYS) return
  throw new Refusal({ code: 'too_many_passkeys', maximum: MAX_PASSKEYS })
}
