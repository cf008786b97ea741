import { z } from 'zod'
import { foldName, MAX_SIGN_IN_NAME } from '../../../shared/access/person.ts'
import { Refusal } from '../../catalog/errors.ts'
import {
  type Caller,
  personActor,
  type SecondFactorCode,
  type SignedIn,
  type SignInResult,
} from '../account.ts'
import type { Directory, PeopleChange } from '../directory.ts'
import { acceptedStep, recoveryCodeHash } from '../factors/codes.ts'
import type { PasswordHasher } from '../password/hasher.ts'
import type { SessionOptions, Sessions } from '../sessions.ts'
import type { StoredAccount } from '../snapshot.ts'
import { hashToken } from '../tokens.ts'
import { KnownAddresses, knownBrowser, markBrowser } from './known.ts'
import { Pending } from './pending.ts'
import { expired } from './sealed.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import type { SignInEntries } from './sign-in-state.ts'

/** Milliseconds in which the second factor must follow the password. */
const CHALLENGE_TIME = 5 * 60_000
/** Of one account. */
const MAX_CHALLENGES = 10
/** Codes that can be tried with one challenge. */
const MAX_TRIES = 5

/** A sign-in whose password was right. */
const Challenge = z.strictObject({
  accountId: z.string(),
  /** The password that was right: one that was changed since counts for nothing. */
  password: z.string(),
  triesLeft: z.int(),
})
type Challenge = Readonly<z.infer<typeof Challenge>>

interface Parts {
  readonly directory: Directory
  readonly sessions: Sessions
  readonly hasher: PasswordHasher
  readonly limits: SignInLimits
  readonly entries: SignInEntries
}

/** Signing in with a password and, where it is turned on, a second factor. */
export class SignIn {
  readonly #parts: Parts
  readonly #known: KnownAddresses
  readonly #challenges: Pending<Challenge>

  constructor(parts: Parts) {
    this.#parts = parts
    const { entries } = parts
    this.#known = new KnownAddresses(entries)
    this.#challenges = new Pending({
      ...{ entries, kind: 'challenge', schema: Challenge },
      ...{ time: CHALLENGE_TIME, maximum: MAX_CHALLENGES },
    })
  }

  /** Throws `sign_in_failed`, `sign_in_busy` and `too_many_attempts`. */
  async withPassword(
    { name, password }: { readonly name: string; readonly password: string },
    caller: Caller,
  ): Promise<SignInResult> {
    const key = foldName(name.slice(0, 4 * MAX_SIGN_IN_NAME))
    const found = this.#parts.directory.snapshot.accountByNameKey.get(key)
    const isRight = await this.verify(key, found, password, caller)
    if (!isRight || found === undefined || found.record.disabledAt !== null) throw failed()
    return await this.afterPassword(found.record.id, found.record.passwordHash, caller)
  }

  /**
   * Returns whether the password is that of the account, as an attempt that counts if it is not. `hasSession`: whoever
   * enters it is signed in. Throws `too_many_attempts`, and `sign_in_busy`, which does not count.
   */
  async verify(
    nameKey: string,
    stored: StoredAccount | undefined,
    password: string,
    { address, browser: mark }: Caller,
    hasSession = false,
  ): Promise<boolean> {
    const { hasher, limits } = this.#parts
    const isKnown = await this.#known.has(stored, address)
    const browser = knownBrowser(mark, stored?.record)
    const passwordHash = stored?.record.passwordHash ?? null
    const stranger = passwordHash === null ? 'strangers' : 'named'
    const waiter = hasSession || isKnown || browser !== undefined ? 'known' : stranger
    hasher.requireRoom(waiter)
    const takeBack = await limits.begin({ account: nameKey, address, isKnown, browser })
    const isRight = await hasher.verify(password, passwordHash, waiter).catch(async (error) => {
      await takeBack()
      throw error
    })
    const isEnabled = stored !== undefined && stored.record.disabledAt === null
    if (isRight && isEnabled) await takeBack()
    return isRight
  }

  /** Goes on after a password that was right, or that a link has set. */
  async afterPassword(
    accountId: string,
    passwordHash: string | null,
    caller: Caller,
  ): Promise<SignInResult> {
    const stored = this.#parts.directory.snapshot.accountById.get(accountId)
    const methods = stored?.account.secondFactors ?? []
    if (methods.length > 0) {
      const password = fingerprint(passwordHash)
      const challenge = await this.#challenges.add({ accountId, password, triesLeft: MAX_TRIES })
      return { kind: 'second_factor', challenge, methods }
    }
    const signedIn = await this.begin(accountId, caller, async ({ record, totp }) => {
      // It may have been changed, or a second factor turned on, since the password was compared.
      if (record.passwordHash !== passwordHash || totp !== undefined) throw failed()
    })
    return { kind: 'signed_in', ...signedIn }
  }

  /** Throws `second_factor_wrong`, `sign_in_expired` and `too_many_attempts`. */
  async withSecondFactor(token: string, code: SecondFactorCode, caller: Caller): Promise<SignedIn> {
    const challenge = await this.#challenges.get(token)
    if (challenge === undefined || challenge.triesLeft === 0) throw expired()
    const stored = this.#parts.directory.snapshot.accountById.get(challenge.accountId)
    const browser = knownBrowser(caller.browser, stored?.record)
    const takeBack = await this.#parts.limits.beginCode(challenge.accountId, browser)
    await this.#spendTry(token)
    const signedIn = await this.begin(challenge.accountId, caller, async (stored, change) => {
      if (fingerprint(stored.record.passwordHash) !== challenge.password) throw failed()
      await useCode(change, stored, code, caller)
    })
    await this.#challenges.drop(token)
    await takeBack()
    return signedIn
  }

  async #spendTry(token: string): Promise<void> {
    let isLeft = false
    await this.#challenges.change(token, ({ triesLeft, ...challenge }) => {
      isLeft = triesLeft > 0
      return isLeft ? { ...challenge, triesLeft: triesLeft - 1 } : undefined
    })
    if (!isLeft) throw expired()
  }

  /** Begins a session of an enabled account, in one transaction with `check`. Throws what that throws, and `sign_in_failed`. */
  async begin(
    accountId: string,
    caller: Caller,
    check: (stored: StoredAccount, change: PeopleChange) => Promise<void>,
    options?: SessionOptions,
  ): Promise<SignedIn> {
    const { directory, sessions } = this.#parts
    const { begun, record } = await directory.change(async (change) => {
      const stored = change.stored.accountById.get(accountId)
      if (stored === undefined || stored.record.disabledAt !== null) throw failed()
      await check(stored, change)
      const { record } = stored
      return { begun: await sessions.begin(change, record, caller, options), record }
    })
    await this.#known.add(accountId, caller.address)
    return { ...sessions.signedIn(begun), browser: markBrowser(caller.browser, record) }
  }
}

/** Uses up a code inside a transaction. Throws `second_factor_wrong`. */
export async function useCode(
  { tx, audit, at }: PeopleChange,
  { record, totp, recoveryCodes }: StoredAccount,
  code: SecondFactorCode,
  caller: Caller,
): Promise<void> {
  const wrong = new Refusal({ code: 'second_factor_wrong' })
  if ('totp' in code) {
    const step = totp && acceptedStep(totp, code.totp, Date.parse(at))
    if (totp === undefined || step === undefined) throw wrong
    await tx.setTotp(record.id, { ...totp, lastStep: step })
    return
  }
  const hash = recoveryCodeHash(record.id, code.recoveryCode)
  if (totp === undefined || !recoveryCodes.has(hash)) throw wrong
  await tx.deleteRecoveryCode(record.id, hash)
  const codesLeft = recoveryCodes.size - 1
  const after = { name: record.name, codesLeft }
  await audit(personActor(record.name, caller), 'person.recovery_code_used', null, after)
}

/** Returns what tells passwords apart without being the hash of one that is stored. */
function fingerprint(passwordHash: string | null): string {
  return passwordHash === null ? '' : hashToken(passwordHash)
}

function failed(): Refusal {
  return new Refusal({ code: 'sign_in_failed' })
}
