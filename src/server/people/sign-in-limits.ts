import { Refusal } from '../catalog/errors.ts'
import { addressKey } from '../limits/address-key.ts'
import { TokenBuckets, type Verdict } from '../limits/token-buckets.ts'

const MINUTE = 60_000
/** Failed attempts in 15 minutes: for one account from one address, and for all accounts from one. */
const PAIR = { capacity: 10, period: 15 * MINUTE }
const ADDRESS = { capacity: 100, period: 15 * MINUTE }
/** Failed attempts in an hour for one account from addresses that nobody signed in from. */
const STRANGERS = { capacity: 50, period: 60 * MINUTE }
/** Failed codes in 15 minutes for one account: only who has its password gets that far. */
const CODES = { capacity: 10, period: 15 * MINUTE }
/** Wrong codes of the command line in 15 minutes that one account can enter. */
const GUESSES = { capacity: 10, period: 15 * MINUTE }
/** Maximum number of keys of each kind that are kept. */
const MAX_KEYS = 20_000

/** Who tries to sign in to what. */
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
  readonly #pairs: TokenBuckets
  readonly #addresses: TokenBuckets
  readonly #strangers: TokenBuckets
  readonly #codes: TokenBuckets
  readonly #guesses: TokenBuckets

  /** `clock`: monotonic, in milliseconds. */
  constructor({ clock }: { readonly clock?: (() => number) | undefined } = {}) {
    const shared = clock === undefined ? { maxKeys: MAX_KEYS } : { maxKeys: MAX_KEYS, clock }
    this.#pairs = new TokenBuckets({ ...PAIR, ...shared })
    this.#addresses = new TokenBuckets({ ...ADDRESS, ...shared })
    this.#strangers = new TokenBuckets({ ...STRANGERS, ...shared })
    this.#codes = new TokenBuckets({ ...CODES, ...shared })
    this.#guesses = new TokenBuckets({ ...GUESSES, ...shared })
  }

  /**
   * Counts an attempt. Returns how to take it back, once it has succeeded. Throws `too_many_attempts`.
   */
  begin({ account, address, isKnown, browser }: Attempt): () => void {
    if (browser !== undefined) {
      return takeAll([[this.#pairs, JSON.stringify([account, 'browser', browser])]])
    }
    const from = addressKey(address)
    const pair = JSON.stringify([account, from])
    const counted: [TokenBuckets, string][] = [[this.#pairs, pair]]
    if (!isKnown) counted.push([this.#addresses, from], [this.#strangers, account])
    return takeAll(counted)
  }

  /**
   * Counts an attempt that names no account, and has failed: what cannot be guessed is never refused before.
   * Throws `too_many_attempts`.
   */
  failedFrom(address: string): void {
    takeAll([[this.#addresses, addressKey(address)]])
  }

  /** Counts an attempt to pass the second factor, as `begin` does. `browser`: likewise. */
  beginCode(accountId: string, browser: string | undefined): () => void {
    return takeAll([[this.#codes, JSON.stringify([accountId, browser])]])
  }

  /** Counts a code of the command line that a person enters, likewise. */
  beginGuess(accountId: string): () => void {
    return takeAll([[this.#guesses, accountId]])
  }
}

/** Takes a token of each bucket or none. */
function takeAll(counted: readonly (readonly [TokenBuckets, string])[]): () => void {
  const taken: (readonly [TokenBuckets, string])[] = []
  const giveBack = () => {
    for (const [buckets, key] of taken.splice(0)) buckets.giveBack(key)
  }
  for (const entry of counted) {
    const [buckets, key] = entry
    const verdict = buckets.take(key)
    if (verdict.allowed) taken.push(entry)
    else {
      giveBack()
      throw tooMany(verdict)
    }
  }
  return giveBack
}

function tooMany({ retrySeconds }: Verdict): Refusal {
  return new Refusal({ code: 'too_many_attempts', retrySeconds })
}
