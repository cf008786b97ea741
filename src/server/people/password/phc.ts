/** A password hash in its parts. `ln`, `r` and `p` are the parameters of scrypt (RFC 7914). */
export interface ScryptHash {
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
export function memoryOf({ ln, r, p }: Pick<ScryptHash, 'ln' | 'r' | 'p'>): number {
  return 128 * r * (2 ** ln + p + 2)
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
