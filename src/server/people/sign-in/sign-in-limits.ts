import { Refusal } from '../../catalog/errors.ts'
import { addressKey, networksAround } from '../../runtime/limits/address-key.ts'
import type { AttemptLimit, AttemptStore, Counted } from './attempts.ts'

const MINUTE = 60_000
/** Failed attempts in 15 minutes: for one account from one address, and for all accounts from one. */
const PAIR = { name: 'pair', capacity: 10, period: 15 * MINUTE }
const ADDRESS = { name: 'address', capacity: 100, period: 15 * MINUTE }
/** Round trips to the identity provider in 15 minutes, from one address, that it did not confirm. */
const SIGN_ON = { name: 'sign-on', capacity: 100, period: 15 * MINUTE }
/** Failed attempts in an hour for one account from addresses that nobody signed in from. */
const STRANGERS = { name: 'strangers', capacity: 50, period: 60 * MINUTE }
/** Failed codes in 15 minutes for one account: only who has its password gets that far. */
const CODES = { name: 'codes', capacity: 10, period: 15 * MINUTE }
/** Wrong codes of the command line in 15 minutes that one account can enter. */
const GUESSES = { name: 'guesses', capacity: 10, period: 15 * MINUTE }

export interface Attempt {
  /** The account, also if there is none: limits must not tell which exist. */
  readonly account: string
  readonly address: string
  /** Whether somebody has signed in to the account from that address. */
  readonly isKnown: boolean
  /** The ID of a browser that somebody has signed in to the account from. */
  readonly browser?: string | undefined
}

/**
 * Limits failed sign-ins for each pair of account and address, for each address, and for each account.
 * The last of them counts strangers only: whoever uses up the attempts on an account cannot lock out
 * those who sign in from an address that is known. A known browser has a limit of its own instead of all
 * three: nobody else at its address can use it up.
 */
export class SignInLimits {
  readonly #attempts: AttemptStore

  constructor(attempts: AttemptStore) {
    this.#attempts = attempts
  }

  /** Counts an attempt. Returns how to take it back, once it has succeeded. Throws `too_many_attempts`. */
  begin({ account, address, isKnown, browser }: Attempt): Promise<() => Promise<void>> {
    if (browser !== undefined) {
      return this.#take([{ limit: PAIR, key: JSON.stringify([account, 'browser', browser]) }])
    }
    const from = addressKey(address)
    const counted: Counted[] = [{ limit: PAIR, key: JSON.stringify([account, from]) }]
    if (!isKnown) {
      counted.push(...around(ADDRESS, address), { limit: STRANGERS, key: account })
    }
    return this.#take(counted)
  }

  /** Runs an attempt with what cannot be guessed, which is counted only if it fails. Throws what it throws, and `too_many_attempts`. */
  async counting<Result>(
    { address }: { readonly address: string },
    attempt: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await attempt()
    } catch (error) {
      await this.#take(around(ADDRESS, address))
      throw error
    }
  }

  /** Counts a return from the identity provider, which names no account either, as `begin` does. */
  beginSignOn(address: string): Promise<() => Promise<void>> {
    return this.#take(around(SIGN_ON, address))
  }

  /** Counts an attempt to pass the second factor, as `begin` does. `browser`: likewise. */
  beginCode(accountId: string, browser: string | undefined): Promise<() => Promise<void>> {
    return this.#take([{ limit: CODES, key: JSON.stringify([accountId, browser]) }])
  }

  /** Counts a code of the command line that a person enters, likewise. */
  beginGuess(accountId: string): Promise<() => Promise<void>> {
    return this.#take([{ limit: GUESSES, key: accountId }])
  }

  async #take(counted: readonly Counted[]): Promise<() => Promise<void>> {
    const retrySeconds = await this.#attempts.take(counted)
    if (retrySeconds > 0) throw new Refusal({ code: 'too_many_attempts', retrySeconds })
    return () => this.#attempts.giveBack(counted)
  }
}

/** Counts against an address and the networks around it, each with twice the limit: a customer has thousands of addresses. */
function around({ name, capacity, period }: AttemptLimit, address: string): Counted[] {
  return networksAround(addressKey(address)).map((key, wider) => ({
    limit: { name: `${name}${'+'.repeat(wider)}`, capacity: capacity * 2 ** wider, period },
    key,
  }))
}
