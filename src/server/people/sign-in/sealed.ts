import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../../catalog/errors.ts'

const ALGORITHM = 'aes-256-gcm'
export const KEY_BYTES = 32
/** Each value is sealed with a key of its own, so that no key is used too often for random nonces. */
const SALT_BYTES = 16
/** The lengths that NIST SP 800-38D recommends (sections 5.2.1.1 and 5.2.1.2). */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The refusal of what waited for too long, was used, or was never begun. */
export function expired(): Refusal {
  return new Refusal({ code: 'sign_in_expired' })
}

interface SealedParts<Value> {
  /** Of `KEY_BYTES`. */
  readonly key: Buffer
  /** Of what is sealed, which no other opens. */
  readonly purpose: string
  readonly schema: z.ZodType<Value>
  /** Milliseconds of validity. */
  readonly time: number
  /** Unix milliseconds. */
  readonly clock: () => number
}

/**
 * Seals what waits for its second part, for the caller to keep: encrypted and authenticated with a key of the
 * server. The server keeps nothing, so that no stranger can displace what another waits for. Servers that share the key open
 * what another one has sealed, so never seal what is worth more than reading their storage.
 */
export class Sealed<Value> {
  readonly #parts: Omit<SealedParts<Value>, 'schema'>
  readonly #schema: z.ZodType<{ readonly until: number; readonly value: Value }>

  constructor({ schema, ...parts }: SealedParts<Value>) {
    this.#parts = parts
    this.#schema = z.strictObject({ until: z.number(), value: schema })
  }

  /** Returns the sealed value, base64url. */
  seal(value: Value): string {
    const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)]
    const cipher = createCipheriv(ALGORITHM, this.#keyFor(salt), nonce)
    const plain = JSON.stringify({ until: this.#parts.clock() + this.#parts.time, value })
    const sealed = [salt, nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }

  /** Returns the value; undefined once its time is over, or if it was not sealed here. */
  open(sealed: string): Value | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < SALT_BYTES + NONCE_BYTES + TAG_BYTES) return undefined
    const plain = this.#decrypt(bytes)
    if (plain === undefined) return undefined
    const { until, value } = this.#schema.parse(plain)
    return until > this.#parts.clock() ? value : undefined
  }

  #decrypt(bytes: Buffer): unknown {
    const start = SALT_BYTES + NONCE_BYTES
    const key = this.#keyFor(bytes.subarray(0, SALT_BYTES))
    const nonce = bytes.subarray(SALT_BYTES, start)
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(start, -TAG_BYTES))
    try {
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString('utf8'))
    } catch {
      return undefined
    }
  }

  #keyFor(salt: Buffer): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#parts.key, salt, this.#parts.purpose, KEY_BYTES))
  }
}
