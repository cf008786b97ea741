import { createHash, getHashes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { minisignParts, signatureFault } from '../../../shared/artifacts/tauri-signature.ts'
import type { ProofFailure } from '../../../shared/files/proof.ts'

/** A minisign public key: `Ed`, 8 bytes of ID, 32 of key (https://jedisct1.github.io/minisign/). */
export interface PublicKey {
  /** In hex, as minisign shows it. */
  readonly id: string
  readonly bytes: Uint8Array
}

interface Signature {
  readonly keyId: string
  /** True for `ED`, where the BLAKE2b-512 of the file is signed; false for `Ed`, the file itself. */
  readonly isPrehashed: boolean
  readonly bytes: Uint8Array
  readonly trustedComment: string
  /** Of the signature and the trusted comment. */
  readonly globalSignature: Uint8Array
}

/** The second character of the algorithm `ED`. */
const PREHASHED = 0x44

/** Returns the key of settings, which hold only valid ones: base64 of 42 bytes. */
export function publicKeyOf(text: string): PublicKey {
  const bytes = Buffer.from(text, 'base64')
  return { id: idOf(bytes.subarray(2, 10)), bytes: bytes.subarray(10) }
}

/** Reads the base64 of the file that minisign writes, as Tauri's plugin does. Returns undefined for what is none. */
function readSignature(text: string): Signature | undefined {
  const parts = minisignParts(text)
  if (parts === undefined) return undefined
  const { signed, trustedComment, global } = parts
  return {
    keyId: idOf(signed.subarray(2, 10)),
    isPrehashed: signed[1] === PREHASHED,
    bytes: signed.subarray(10),
    trustedComment,
    globalSignature: global,
  }
}

const FAULTS = {
  wrapped: 'signature_wrapped',
  not_encoded: 'signature_not_encoded',
  not_base64: 'signature_malformed',
  not_minisign: 'signature_malformed',
} as const

/** Verifies one file, which it gets piece by piece and does not keep. */
export class MinisignVerifier {
  readonly #signature: Signature
  readonly #key: PublicKey
  readonly #digest: Digest

  private constructor(signature: Signature, key: PublicKey) {
    this.#signature = signature
    this.#key = key
    this.#digest = signature.isPrehashed ? startBlake2b() : startChallenge(signature, key)
  }

  /** Returns what is wrong before the file is read, or the verifier. */
  static begin(text: string, key: PublicKey): MinisignVerifier | ProofFailure {
    const signature = readSignature(text)
    if (signature === undefined) return { code: FAULTS[signatureFault(text) ?? 'not_base64'] }
    if (signature.keyId !== key.id) {
      return { code: 'signature_other_key', expected: key.id, actual: signature.keyId }
    }
    return new MinisignVerifier(signature, key)
  }

  update(piece: Uint8Array): void {
    this.#digest.update(piece)
  }

  /** Returns what is wrong with the signature of the file; null if it is valid. */
  end(): ProofFailure | null {
    const { bytes, isPrehashed, trustedComment, globalSignature } = this.#signature
    const digest = this.#digest.digest()
    const isValid = isPrehashed
      ? verify(bytes, digest, this.#key)
      : answers(bytes, digest, this.#key)
    if (!isValid) return { code: 'signature_wrong' }
    const signed = Buffer.concat([bytes, Buffer.from(trustedComment, 'utf8')])
    return verify(globalSignature, signed, this.#key) ? null : { code: 'trusted_comment_wrong' }
  }
}

function verify(signature: Uint8Array, message: Uint8Array, { bytes }: PublicKey): boolean {
  return ed25519.verify(signature, message, bytes, { zip215: false })
}

/** The hash of RFC 8032, 5.1.7: of the first half of the signature, the key and the message. */
function startChallenge(signature: Signature, key: PublicKey): Digest {
  return createHash('sha512').update(signature.bytes.subarray(0, 32)).update(key.bytes)
}

/**
 * Finishes the verification of RFC 8032, 5.1.7 with that hash, so that a large file need not be in memory: whether
 * [S]B = R + [k]A. Keys and points of small order are refused, as libsodium does.
 */
function answers(signature: Uint8Array, challenge: Uint8Array, { bytes }: PublicKey): boolean {
  const { Point } = ed25519
  const order = Point.Fn.ORDER
  const s = littleEndian(signature.subarray(32))
  try {
    const [r, a] = [Point.fromBytes(signature.subarray(0, 32)), Point.fromBytes(bytes)]
    if (r.isSmallOrder() || a.isSmallOrder()) return false
    const k = littleEndian(challenge) % order
    return Point.BASE.multiplyUnsafe(s).equals(r.add(a.multiplyUnsafe(k)))
  } catch {
    // Not the encoding of a point, or a number that is not reduced.
    return false
  }
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
}

/** minisign shows the ID as a little-endian number. */
function idOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString('hex').toUpperCase()
}

interface Digest {
  update(piece: Uint8Array): unknown
  digest(): Uint8Array
}

/** Starts a BLAKE2b-512. The Node of Electron is built on BoringSSL, which has none. */
export function startBlake2b(isBuiltIn: boolean = getHashes().includes('blake2b512')): Digest {
  return isBuiltIn ? createHash('blake2b512') : blake2b.create({ dkLen: 64 })
}
