import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
/** The lengths that NIST SP 800-38D recommends (sections 5.2.1.1 and 5.2.1.2). */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Seals what waits for its second part, for the caller to keep: encrypted and authenticated with a key of this
 * process. The server keeps nothing, so that no stranger can displace what another waits for. Void after a restart.
 */
export class Sealed<Value> {
  readonly #key = randomBytes(KEY_BYTES)
  readonly #schema: z.ZodType<{ readonly until: number; readonly value: Value }>
  readonly #time: number
  readonly #clock: () => number

  /** `time`: milliseconds that a sealed value is valid. `clock`: Unix milliseconds. */
  constructor({
    schema,
    time,
    clock,
  }: {
    schema: z.ZodType<Value>
    time: number
    clock: () => number
  }) {
    this.#schema = z.strictObject({ until: z.number(), value: schema })
    this.#time = time
    this.#clock = clock
  }

  /** Returns the sealed value, base64url. */
  seal(value: Value): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce)
    const plain = JSON.stringify({ until: this.#clock() + this.#time, value })
    const sealed = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }

  /** Returns the value; undefined once its time is over, or if it was not sealed here. */
  open(sealed: string): Value | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
    const plain = this.#decrypt(bytes)
    if (plain === undefined) return undefined
    const { until, value } = this.#schema.parse(plain)
    return until > this.#clock() ? value : undefined
  }

  #decrypt(bytes: Buffer): unknown {
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    try {
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString('utf8'))
    } catch {
      return undefined
    }
  }
}
