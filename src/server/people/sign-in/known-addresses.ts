import { addressKey } from '../../limits/address-key.ts'
import type { StoredAccount } from '../snapshot.ts'
import { hashToken } from '../tokens.ts'
import type { SignInEntries } from './sign-in-state.ts'

/** Milliseconds that an address stays known without another sign-in. */
const TIME = 30 * 24 * 3_600_000
/** Addresses of an account that are remembered beside those of its sessions. */
const MAX_ADDRESSES = 20

/** Remembers from which addresses people have signed in: by their sessions, and for a while after these have ended. */
export class KnownAddresses {
  readonly #entries: SignInEntries

  constructor(entries: SignInEntries) {
    this.#entries = entries
  }

  /** Somebody signed in to the account from that address. */
  async add(accountId: string, address: string): Promise<void> {
    const name = nameOf(accountId, address)
    const owner = `known ${accountId}`
    const entry = { value: '', owner, time: TIME, maximum: MAX_ADDRESSES }
    if (!(await this.#entries.add(name, entry))) await this.#entries.replace(name, '', '', TIME)
  }

  async has(stored: StoredAccount | undefined, address: string): Promise<boolean> {
    if (stored === undefined) return false
    const from = addressKey(address)
    if (stored.sessions.some((session) => addressKey(session.address) === from)) return true
    return (await this.#entries.get(nameOf(stored.record.id, address))) !== undefined
  }
}

function nameOf(accountId: string, address: string): string {
  return `known:${hashToken(JSON.stringify([accountId, addressKey(address)]))}`
}
