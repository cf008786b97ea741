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
/** Maximum number of keys of each kind that are kept. */
const MAX_KEYS = 20_000

/** Who tries to sign in to what. */
export interface Attempt {
  /** The account, also if there is none: limits must not tell which exist. */
  readonly account: string
  readonly address: string
  /** Whether somebody has signed in to the account from that address. */
  readonly isKnown: boolean
}

/**
 * Limits failed sign-ins for each pair of account and address, for each address, and for each account.
 * The last of them counts strangers only: whoever uses up the attempts on an account cannot lock out
 * those who sign in from an address that is known.
 */
export class SignInLimits {
  readonly #pairs: TokenBuckets
  readonly #addresses: TokenBuckets
  readonly #strangers: TokenBuckets
  readonly #codes: TokenBuckets

  /** `clock`: monotonic, in milliseconds. */
  constructor({ clock }: { readonly clock?: (() => number) | undefined } = {}) {
    const shared = clock === undefined ? { maxKeys: MAX_KEYS } : { maxKeys: MAX_KEYS, clock }
    this.#pairs = new TokenBuckets({ ...PAIR, ...shared })
    this.#addresses = new TokenBuckets({ ...ADDRESS, ...shared })
    this.#strangers = new TokenBuckets({ ...STRANGERS, ...shared })
    this.#codes = new TokenBuckets({ ...CODES, ...shared })
  }

  /**
   * Counts an attempt. Returns how to take it back, once it has succeeded. Throws `too_many_attempts`.
   */
  begin({ account, address, isKnown }: Attempt): () => void {
    const from = addressKey(address)
    const pair = JSON.stringify([account, from])
    const counted: [TokenBuckets, string][] = [[this.#pairs, pair]]
    if (!isKnown) counted.push([this.#addresses, from], [this.#strangers, account])
    return takeAll(counted)
  }

  /** Counts an attempt that names no account, likewise. */
  beginFrom(address: string): () => void {
    return takeAll([[this.#addresses, addressKey(address)]])
  }

  /** Counts an attempt to pass the second factor, likewise. */
  beginCode(accountId: string): () => void {
    return takeAll([[this.#codes, accountId]])
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
