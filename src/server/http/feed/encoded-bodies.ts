import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Mutex } from '../../runtime/async/mutex.ts'

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

/** The supported compressions, each with the function that compresses off the main thread. */
const COMPRESSORS = {
  gzip: (bytes: Buffer) => gzipped(bytes, { level: 6 }),
  br: (bytes: Buffer) =>
    brotlied(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 4,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
} as const
/** A content coding; `identity` means uncompressed. */
export type Encoding = keyof typeof COMPRESSORS | 'identity'

/** Limits on what callers can make the server compress and cache, in bytes. */
export interface EncodingBounds {
  /** Largest body that is compressed. */
  readonly largest: number
  /** Largest body that is cached uncompressed; larger ones are sent in parts. */
  readonly largestPlain: number
  /** Maximum bytes cached of all bodies together. */
  readonly kept: number
  /** How many bodies may wait to be compressed. */
  readonly waiting: number
}

const MIB = 1024 * 1024
/** Approximate overhead of a cached body beyond its bytes. */
const OVERHEAD = 512
const BOUNDS: EncodingBounds = {
  largest: 16 * MIB,
  largestPlain: MIB,
  kept: 32 * MIB,
  waiting: 16,
}

/** A least-recently-used cache of bodies keyed by content, compressed one at a time off the answering thread. */
export class EncodedBodies {
  readonly #bounds: EncodingBounds
  /** Least recently used first. */
  readonly #bodies = new Map<string, Buffer>()
  readonly #pending = new Map<string, Promise<Buffer>>()
  #bytes = 0
  readonly #mutex = new Mutex()

  constructor(bounds: Partial<EncodingBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds }
  }

  /** Memory used by all cached bodies, in bytes. */
  get bytes(): number {
    return this.#bytes
  }

  /** Returns the body in that encoding; undefined if it is too large or too many wait. `digest` must differ where `parts` do. */
  async get(
    digest: string,
    encoding: Encoding,
    parts: readonly Uint8Array[],
  ): Promise<Buffer | undefined> {
    const key = `${encoding} ${digest}`
    const known = this.#bodies.get(key) ?? this.#pending.get(key)
    if (known instanceof Promise) return await known
    if (known !== undefined) {
      this.#bodies.delete(key)
      this.#bodies.set(key, known)
      return known
    }
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    if (encoding === 'identity') {
      if (length > this.#bounds.largestPlain) return undefined
      return this.#keep(key, Buffer.concat(parts, length))
    }
    if (length > this.#bounds.largest || this.#pending.size >= this.#bounds.waiting) {
      return undefined
    }
    const compressed = this.#mutex
      .run(() => COMPRESSORS[encoding](Buffer.concat(parts, length)))
      .then((body) => this.#keep(key, body))
      .finally(() => this.#pending.delete(key))
    this.#pending.set(key, compressed)
    return await compressed
  }

  #keep(key: string, encoded: Buffer): Buffer {
    // Copied, because a short body is a slice of a larger buffer, which it would keep alive.
    const body = Buffer.allocUnsafeSlow(encoded.length)
    encoded.copy(body)
    this.#bodies.set(key, body)
    this.#bytes += body.length + OVERHEAD
    for (const [oldest, { length }] of this.#bodies) {
      if (this.#bytes <= this.#bounds.kept) break
      this.#bodies.delete(oldest)
      this.#bytes -= length + OVERHEAD
    }
    return body
  }
}
