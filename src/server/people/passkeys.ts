import { DisplayName } from '../../shared/names.ts'
import type { PasskeyAssertion, PasskeyRegistration } from '../../shared/passkey.ts'
import { Refusal } from '../catalog/errors.ts'
import type { Caller, Session, SignedIn } from './account.ts'
import { requirePerson } from './administration.ts'
import { boundedCaller, personActor } from './caller.ts'
import type { Directory } from './directory.ts'
import type { OwnAccount } from './own-account.ts'
import { Pending } from './pending.ts'
import type { SignIn } from './sign-in.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import type { PasskeyRecord } from './store.ts'

/** Milliseconds that a person has to use a passkey. */
const CEREMONY_TIME = 5 * 60_000
const MAX_CEREMONIES = 1_000
/** Most passkeys of an account. */
const MAX_PASSKEYS = 20
const PRODUCT = 'Tidegate'

/** Where a passkey is valid. */
export interface Site {
  /** The host name of the console (WebAuthn Level 3, section 4: RP ID). */
  readonly rpId: string
  /** The origin that the browser must name, such as `https://updates.example.com`. */
  readonly origin: string
}

interface Ceremony extends Site {
  readonly challenge: string
  /** Whose passkey is made; null while somebody signs in. */
  readonly accountId: string | null
}

interface Parts {
  readonly directory: Directory
  readonly signIn: SignIn
  readonly own: OwnAccount
  readonly limits: SignInLimits
}

/**
 * Passkeys: made by who is signed in, used to sign in without a name. The authenticator verifies the person,
 * so that no second factor follows.
 */
export class Passkeys {
  readonly #parts: Parts
  readonly #ceremonies: Pending<Ceremony>

  constructor(parts: Parts) {
    this.#parts = parts
    const clock = () => parts.directory.now()
    this.#ceremonies = new Pending({ time: CEREMONY_TIME, maximum: MAX_CEREMONIES, clock })
  }

  /** Begins to make a passkey. Returns what the browser needs, and the token for `register`. Throws `too_many_passkeys`. */
  async registrationOptions({ account }: Session, { rpId, origin }: Site) {
    const { passkeys, record } = requirePerson(this.#parts.directory.snapshot, account.id)
    refuseTooMany(passkeys)
    const { generateRegistrationOptions } = await library()
    const options = await generateRegistrationOptions({
      ...{ rpName: PRODUCT, rpID: rpId, userName: record.name, attestationType: 'none' },
      userID: new TextEncoder().encode(account.id),
      excludeCredentials: passkeys.map(({ id, transports }) => ({
        id,
        transports: [...transports],
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const { challenge } = options
    const ceremony = this.#ceremonies.add({ rpId, origin, challenge, accountId: account.id })
    return { ceremony, options }
  }

  /**
   * Adds the passkey that the browser made. Throws `current_password_wrong`, `sign_in_expired`,
   * `passkey_rejected`, `passkey_exists`, `too_many_passkeys`, `invalid_input` (name) and
   * `too_many_attempts`.
   */
  async register(
    { account }: Session,
    input: {
      readonly ceremony: string
      readonly response: PasskeyRegistration
      readonly name: string
      readonly password: string
    },
    caller: Caller,
  ): Promise<void> {
    await this.#parts.own.confirmPassword(account.id, input.password, 'password', caller)
    const begun = this.#ceremonies.take(input.ceremony)
    if (begun?.accountId !== account.id) throw new Refusal({ code: 'sign_in_expired' })
    const { verifyRegistrationResponse } = await library()
    const { registrationInfo } = await verified(() =>
      verifyRegistrationResponse({ response: input.response, ...expected(begun) }),
    )
    if (registrationInfo === undefined) throw rejected()
    const { id, publicKey, counter } = registrationInfo.credential
    const { transports } = input.response.response
    const name = DisplayName.catch(PRODUCT).parse(input.name)
    await this.#parts.directory.change(async ({ tx, stored, at, audit }) => {
      const { record, passkeys } = requirePerson(stored, account.id)
      refuseTooMany(passkeys)
      if (stored.passkeyById.has(id)) throw new Refusal({ code: 'passkey_exists' })
      await tx.insertPasskey({
        ...{ id, accountId: account.id, name, counter, transports, createdAt: at },
        publicKey: Buffer.from(publicKey).toString('base64url'),
      })
      const after = { name: record.name, passkey: name }
      await audit(
        personActor(record.name, boundedCaller(caller)),
        'person.passkey_added',
        null,
        after,
      )
    })
  }

  /** Begins to sign in. Returns what the browser needs, and the token for `signIn`. */
  async signInOptions({ rpId, origin }: Site) {
    const { generateAuthenticationOptions } = await library()
    const options = await generateAuthenticationOptions({
      rpID: rpId,
      userVerification: 'required',
    })
    const { challenge } = options
    const ceremony = this.#ceremonies.add({ rpId, origin, challenge, accountId: null })
    return { ceremony, options }
  }

  /** Signs in with a passkey. Throws `sign_in_expired`, `passkey_rejected`, `sign_in_failed` and `too_many_attempts`. */
  async signIn(
    { ceremony, response }: { readonly ceremony: string; readonly response: PasskeyAssertion },
    caller: Caller,
  ): Promise<SignedIn> {
    const takeBack = this.#parts.limits.beginFrom(caller.address)
    const begun = this.#ceremonies.take(ceremony)
    if (begun === undefined || begun.accountId !== null) {
      throw new Refusal({ code: 'sign_in_expired' })
    }
    const passkey = this.#parts.directory.snapshot.passkeyById.get(response.id)
    if (passkey === undefined) throw rejected()
    const { id, counter } = passkey
    const { verifyAuthenticationResponse } = await library()
    // The library refuses a counter that did not grow: the passkey may have been copied.
    const { authenticationInfo } = await verified(() =>
      verifyAuthenticationResponse({
        ...{ response, ...expected(begun) },
        credential: { id, counter, publicKey: Buffer.from(passkey.publicKey, 'base64url') },
      }),
    )
    const { newCounter } = authenticationInfo
    const signedIn = await this.#parts.signIn.begin(
      passkey.accountId,
      caller,
      async (_, { tx, stored, at }) => {
        if (stored.passkeyById.get(id)?.counter !== counter) throw rejected()
        await tx.setPasskeyUse(id, newCounter, at)
      },
    )
    takeBack()
    return signedIn
  }

  /**
   * Deletes a passkey of the account. Throws `current_password_wrong`, `unknown_passkey`,
   * `last_sign_in_method` and `too_many_attempts`.
   */
  async remove(
    { account }: Session,
    { id, password }: { readonly id: string; readonly password: string },
    caller: Caller,
  ): Promise<void> {
    await this.#parts.own.confirmPassword(account.id, password, 'password', caller)
    await this.#parts.directory.change(async ({ tx, stored, audit }) => {
      const { record, passkeys, account: present } = requirePerson(stored, account.id)
      const passkey = passkeys.find((candidate) => candidate.id === id)
      if (passkey === undefined) throw new Refusal({ code: 'unknown_passkey' })
      const others = present.hasPassword || present.identities.length > 0 || passkeys.length > 1
      if (!others) throw new Refusal({ code: 'last_sign_in_method' })
      await tx.deletePasskey(id)
      const before = { name: record.name, passkey: passkey.name }
      const actor = personActor(record.name, boundedCaller(caller))
      await audit(actor, 'person.passkey_removed', before, null)
    })
  }
}

/** Loaded with the first passkey: a server starts faster without. */
function library() {
  return import('@simplewebauthn/server')
}

function expected({ challenge, origin, rpId }: Ceremony) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }
}

/** Runs a verification, which throws for whatever is wrong with an answer. Throws `passkey_rejected`. */
async function verified<Result extends { readonly verified: boolean }>(
  verify: () => Promise<Result>,
): Promise<Result> {
  const result = await verify().catch(() => {
    throw rejected()
  })
  if (!result.verified) throw rejected()
  return result
}

function rejected(): Refusal {
  return new Refusal({ code: 'passkey_rejected' })
}

function refuseTooMany(passkeys: readonly PasskeyRecord[]): void {
  if (passkeys.length < MAX_PASSKEYS) return
  throw new Refusal({ code: 'too_many_passkeys', maximum: MAX_PASSKEYS })
}
