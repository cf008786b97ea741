import { createHash } from 'node:crypto'
import { constants, zstdDecompressSync } from 'node:zlib'
import { copiesIn } from '../../../src/server/hosting/patches/copies.ts'
import { HEADER, patchPieces } from '../../../src/server/hosting/patches/patch-frame.ts'

/** The patch of two contents. */
export function patchOf(base: Buffer, next: Buffer): Buffer {
  const baseHash = createHash('sha256').update(base).digest()
  const copies = copiesIn(base, next)
  return Buffer.concat([...patchPieces({ baseSize: base.length, baseHash, next, copies })])
}

/** What Node makes of a base with a patch. */
export function patched(base: Buffer, patch: Buffer): Buffer {
  const params = { [constants.ZSTD_d_windowLogMax]: 27 }
  return zstdDecompressSync(patch.subarray(HEADER), { dictionary: base, params })
}

/** A content with other bytes in place of some. */
export function changed(content: Buffer, at: number, bytes: Buffer): Buffer {
  return Buffer.concat([content.subarray(0, at), bytes, content.subarray(at + bytes.length)])
}
