import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../catalog/errors.ts'
import { formatPhc, memoryOf, parsePhc, type ScryptHash } from './phc.ts'

/** OWASP Password Storage Cheat Sheet: N = 2^17, r = 8, p = 1, which takes 128 MiB. */
const COST = { ln: 17, r: 8, p: 1 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Hashes that are computed at a time, because of their memory. */
const AT_ONCE = 2
/** Maximum number that wait for their turn in each of the two queues: some seconds. */
const MAX_WAITING = 16
const BUSY_SECONDS = 5
/** UTF-16 code units: no password that was accepted is longer. */
const MAX_UNITS = 1_024

/** Who waits: strangers cannot fill the queue of those who have a session, a link or a browser that is known. */
type Queue = 'known' | 'strangers'

/** Hashes passwords with scrypt on the thread pool, a few at a time. */
export class PasswordHasher {
  readonly #cost: Pick<ScryptHash, 'ln' | 'r' | 'p'>
  /** Those of strangers take their turn only while nobody else waits. */
  readonly #waiting: Readonly<Record<Queue, (() => void)[]>> = { known: [], strangers: [] }
  #running = 0

  /** `ln`: logarithm of the cost to the base 2. */
  constructor({ ln = COST.ln }: { readonly ln?: number | undefined } = {}) {
    this.#cost = { ...COST, ln }
  }

  /** Returns the hash of a new password, which only the known set, in PHC string format. Throws `too_many_attempts` when too many wait. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES)
    const made = { ...this.#cost, salt, hash: Buffer.alloc(HASH_BYTES) }
    return formatPhc({ ...made, hash: await this.#derive(password, made, 'known') })
  }

  /**
   * Returns whether the password has that hash. Takes as long for an account without one, so that time
   * does not tell which accounts exist. Throws as `hash` does.
   */
  async verify(password: string, phc: string | null, queue: Queue = 'strangers'): Promise<boolean> {
    const isPossible = phc !== null && password.length <= MAX_UNITS
    const expected = isPossible ? parsePhc(phc) : this.#dummy()
    const derived = await this.#derive(isPossible ? password : '', expected, queue)
    return timingSafeEqual(derived, expected.hash) && isPossible
  }

  #dummy(): ScryptHash {
    return { ...this.#cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) }
  }

  async #derive(
    password: string,
    { ln, r, p, salt, hash }: ScryptHash,
    queue: Queue,
  ): Promise<Buffer> {
    await this.#turn(queue)
    try {
      const options = { N: 2 ** ln, r, p, maxmem: 2 * memoryOf({ ln, r, p }) }
      // The same password typed on another system may be composed differently.
      const text = password.normalize('NFKC')
      return await new Promise((resolve, reject) => {
        scrypt(text, salt, hash.length, options, (error, derived) => {
          if (error === null) resolve(derived)
          else reject(error)
        })
      })
    } finally {
      this.#next()
    }
  }

  async #turn(queue: Queue): Promise<void> {
    if (this.#running < AT_ONCE) {
      this.#running += 1
      return
    }
    const waiting = this.#waiting[queue]
    if (waiting.length >= MAX_WAITING) {
      throw new Refusal({ code: 'too_many_attempts', retrySeconds: BUSY_SECONDS })
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  /** The turn passes directly to the next, so that no other can come in between. */
  #next(): void {
    const next = this.#waiting.known.shift() ?? this.#waiting.strangers.shift()
    if (next === undefined) this.#running -= 1
    else next()
  }
}
