import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Refusal } from '../../catalog/errors.ts'

/** A password hash in its parts. `ln`, `r` and `p` are the parameters of scrypt (RFC 7914). */
interface ScryptHash {
  /** Logarithm of the cost N to the base 2. */
  readonly ln: number
  readonly r: number
  readonly p: number
  readonly salt: Buffer
  readonly hash: Buffer
}

const FORM =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{16,86})\$([A-Za-z0-9+/]{22,86})$/
/** Most memory that a stored hash may ask for, in bytes: the database may have been edited. */
const MAX_MEMORY = 512 * 1_024 * 1_024

/** Returns the PHC string format of a hash: `$scrypt$ln=17,r=8,p=1$<salt>$<hash>`, base64 without padding. */
export function formatPhc({ ln, r, p, salt, hash }: ScryptHash): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(hash)}`
}

/** Reads the PHC string format. Throws if it is not a hash that this server could have made. */
export function parsePhc(text: string): ScryptHash {
  const [, ln, r, p, salt, hash] = FORM.exec(text) ?? []
  if (salt === undefined || hash === undefined) throw new Error('malformed password hash')
  const numbers = { ln: Number(ln), r: Number(r), p: Number(p) }
  const isValid = numbers.ln > 0 && numbers.r > 0 && numbers.p > 0
  if (!isValid || memoryOf(numbers) > MAX_MEMORY) throw new Error('password hash out of bounds')
  return { ...numbers, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') }
}

/** Bytes of memory that scrypt needs (RFC 7914, section 2). */
function memoryOf({ ln, r, p }: Pick<ScryptHash, 'ln' | 'r' | 'p'>): number {
  return 128 * r * (2 ** ln + p + 2)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/** OWASP Password Storage Cheat Sheet: N = 2^17, r = 8, p = 1, which takes 128 MiB. */
const COST = { ln: 17, r: 8, p: 1 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Most attempts that wait for their turn: of the known, of strangers, and beyond them of strangers who name an account. */
const MAX_WAITING = { known: 8, strangers: 4, named: 4 } as const
const BUSY_SECONDS = 5
/** UTF-16 code units: no password that was accepted is longer. */
const MAX_UNITS = 1_024

/**
 * Who waits. `known`: who has a session, a link, or a browser or an address that is known. `named`: a stranger who names an
 * account with a password, of which attempts are limited. `strangers`: anybody else, whose attempts cannot succeed.
 */
export type Waiter = 'known' | 'named' | 'strangers'

/** Hashes passwords with scrypt, one at a time, so that a flood takes one processor and 128 MiB. Strangers wait for the known. */
export class PasswordHasher {
  readonly #cost: Pick<ScryptHash, 'ln' | 'r' | 'p'>
  readonly #waiting: Readonly<Record<'known' | 'strangers', (() => void)[]>> = {
    known: [],
    strangers: [],
  }
  #isRunning = false

  /** `ln`: logarithm of the cost to the base 2. */
  constructor({ ln = COST.ln }: { readonly ln?: number | undefined } = {}) {
    this.#cost = { ...COST, ln }
  }

  /** Returns the hash of a new password, which only the known set, in PHC string format. Throws `sign_in_busy` when too many wait. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const made = { ...this.#cost, salt, hash: Buffer.alloc(HASH_BYTES) }
    return formatPhc({ ...made, hash: await this.#derive(password, made, 'known') })
  }

  /** Returns whether the password has that hash. Takes as long without one: time does not tell which accounts exist. Throws as `hash`. */
  async verify(
    password: string,
    phc: string | null,
    waiter: Waiter = 'strangers',
  ): Promise<boolean> {
    const isPossible = phc !== null && password.length <= MAX_UNITS
    const expected = isPossible ? parsePhc(phc) : this.#dummy()
    const derived = await this.#derive(isPossible ? password : '', expected, waiter)
    return timingSafeEqual(derived, expected.hash) && isPossible
  }

  #dummy(): ScryptHash {
    return { ...this.#cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }
  }

  async #derive(
    password: string,
    { ln, r, p, salt, hash }: ScryptHash,
    waiter: Waiter,
  ): Promise<Buffer> {
    await this.#turn(waiter)
    try {
      const options = { N: 2 ** ln, r, p, maxmem: 2 * memoryOf({ ln, r, p }) }
      // The same password typed on another system may be composed differently.
      const text = password.normalize('NFKC')
      return await derive(text, salt, hash.length, options)
    } finally {
      this.#next()
    }
  }

  /** Throws `sign_in_busy` when too many wait. */
  requireRoom(waiter: Waiter): void {
    const { known, strangers, named } = MAX_WAITING
    const room = { known, strangers, named: strangers + named }[waiter]
    if (this.#queueOf(waiter).length < room) return
    throw new Refusal({ code: 'sign_in_busy', retrySeconds: BUSY_SECONDS })
  }

  async #turn(waiter: Waiter): Promise<void> {
    if (!this.#isRunning) {
      this.#isRunning = true
      return
    }
    this.requireRoom(waiter)
    await new Promise<void>((resolve) => this.#queueOf(waiter).push(resolve))
  }

  #queueOf(waiter: Waiter): (() => void)[] {
    return waiter === 'known' ? this.#waiting.known : this.#waiting.strangers
  }

  /** The turn passes directly to the next, so that no other can come in between. */
  #next(): void {
    const next = this.#waiting.known.shift() ?? this.#waiting.strangers.shift()
    if (next === undefined) this.#isRunning = false
    else next()
  }
}
