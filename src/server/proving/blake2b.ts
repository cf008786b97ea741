import { createHash, getHashes } from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2.js'

/** A hash that is fed piece by piece. */
export interface Digest {
  update(piece: Uint8Array): unknown
  digest(): Uint8Array
}

/** Starts a BLAKE2b-512. The Node of Electron is built on BoringSSL, which has none. */
export function startBlake2b(isBuiltIn: boolean = getHashes().includes('blake2b512')): Digest {
  return isBuiltIn ? createHash('blake2b512') : blake2b.create({ dkLen: 64 })
}
