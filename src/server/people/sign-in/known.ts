import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { addressKey } from '../../runtime/limits/address-key.ts'
import type { StoredAccount } from '../snapshot.ts'
import type { AccountRecord } from '../store.ts'
import { hashToken } from '../tokens.ts'
import type { SignInEntries } from './sign-in-state.ts'

/**
 * What a browser keeps of the sign-ins from it: its ID, and a tag for each account. Only the server can make a tag,
 * after a sign-in. (OWASP, "Slow Down Online Guessing Attacks with Device Cookies".)
 */
const MARK = /^[\w-]{22}(?:\.[\w-]{22}){1,5}$/
/** Most accounts of one browser; the first is forgotten first. */
const MAX_ACCOUNTS = 5
const ID_BYTES = 16
const TAG_BYTES = 16

type Owner = Pick<AccountRecord, 'id' | 'passwordHash'>

/** Returns the ID of the browser, if somebody has signed in to the account from it since its password was set. */
export function knownBrowser(
  mark: string | undefined,
  owner: Owner | undefined,
): string | undefined {
  const { id, tags } = partsOf(mark)
  const expected = owner && tagOf(id, owner)
  if (expected === undefined) return undefined
  const isKnown = tags.some((tag) => timingSafeEqual(Buffer.from(tag), Buffer.from(expected)))
  return isKnown ? id : undefined
}

/** Returns what a browser keeps after a sign-in. `mark`: what it kept so far. Null for an account without a password. */
export function markBrowser(mark: string | undefined, owner: Owner): string | null {
  const { id, tags } = partsOf(mark)
  const tag = tagOf(id, owner)
  if (tag === undefined) return null
  const others = tags.filter((other) => other !== tag)
  return [id, ...others.slice(1 - MAX_ACCOUNTS), tag].join('.')
}

function partsOf(mark = ''): { readonly id: string; readonly tags: readonly string[] } {
  const [id = '', ...tags] = MARK.test(mark) ? mark.split('.') : []
  return id === '' ? { id: randomBytes(ID_BYTES).toString('base64url'), tags } : { id, tags }
}

/** Its key is what is stored of the password, which no one is shown: a new password makes it void. */
function tagOf(browser: string, { id, passwordHash }: Owner): string | undefined {
  if (passwordHash === null) return undefined
  const tag = createHmac('sha256', passwordHash).update(`browser ${browser} of ${id}`).digest()
  return tag.subarray(0, TAG_BYTES).toString('base64url')
}

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
