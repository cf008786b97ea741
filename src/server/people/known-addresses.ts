import { addressKey } from '../limits/address-key.ts'
import type { StoredAccount } from './snapshot.ts'

/** Maximum number of pairs of account and address that are remembered. */
const MAX_PAIRS = 10_000

/** Remembers from which addresses people have signed in: by their sessions, and by what this process saw. */
export class KnownAddresses {
  readonly #seen = new Set<string>()

  /** Somebody signed in to the account from that address. */
  add(accountId: string, address: string): void {
    const pair = pairOf(accountId, address)
    this.#seen.delete(pair)
    this.#seen.add(pair)
    const [oldest] = this.#seen
    if (this.#seen.size > MAX_PAIRS && oldest !== undefined) this.#seen.delete(oldest)
  }

  has(stored: StoredAccount | undefined, address: string): boolean {
    if (stored === undefined) return false
    if (this.#seen.has(pairOf(stored.record.id, address))) return true
    const from = addressKey(address)
    return stored.sessions.some((session) => addressKey(session.address) === from)
  }
}

function pairOf(accountId: string, address: string): string {
  return `${accountId} ${addressKey(address)}`
}
