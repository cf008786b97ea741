import { zstdDecompressSync } from 'node:zlib'
import type { StoredFile } from '../file-index.ts'
import { HEADER, MAX_BLOCK, patchPieces } from './patch-frame.ts'

const MIB = 1_024 ** 2
/** Bytes of the largest file that has patches: clients need its size as a window, of which they support so much (RFC 9842, 5). */
const MAX_PATCHED = 128 * MIB
/** The window that clients support with every base, and how much larger than a base it can be. */
const ANY_WINDOW = 8 * MIB
const LARGER = 1.25
/** Memory that making a patch needs besides that for both files, which is twice their size. */
const MEMORY = 64 * MIB

/** The part of a file that its patch may be as large as: above, the file is downloaded. */
export const WORTHWHILE = 3 / 4
/** Bytes of a copy in a patch, and of the bytes before which there is one. */
const COPY = 16
const LEAST_BLOCK = 8 * 1_024

interface Pair {
  readonly base: StoredFile
  readonly next: StoredFile
}

/** Returns whether clients can apply a patch of two files. */
export function isPatchable({ base, next }: Pair): boolean {
  if (base.sha512 === next.sha512 || Math.max(base.size, next.size) > MAX_PATCHED) return false
  return next.size <= Math.max(ANY_WINDOW, base.size * LARGER)
}

/** Returns at most how many bytes a patch takes. `changed`: bytes of the blocks that only the next file has. */
export function mostBytes({ size }: Pick<StoredFile, 'size'>, changed: number): number {
  const copies = 1 + changed / LEAST_BLOCK + size / MAX_BLOCK
  const most = Math.ceil(2 * HEADER + changed + copies * COPY)
  return most > size * WORTHWHILE ? size : most
}

/** Throws if there is not the memory to make a patch. */
export function requireMemory({ base, next }: Pair): void {
  const needed = 2 * (base.size + next.size) + MEMORY
  const available = process.availableMemory()
  if (available >= needed) return
  throw new Error(`it takes ${inMiB(needed)} MiB of memory, and ${inMiB(available)} are available`)
}

function inMiB(bytes: number): number {
  return Math.ceil(bytes / MIB)
}

let known: boolean | undefined

/** Returns whether this Node can apply patches: before 22.19 and 24.6, it ignores dictionaries of Zstandard. */
export function canPatch(): boolean {
  known ??= applies()
  return known
}

function applies(): boolean {
  const base = Buffer.from('a dictionary that a frame refers to')
  const copies = [{ at: 0, from: 0, length: base.length }]
  const content = { baseSize: base.length, baseHash: Buffer.alloc(32), next: base, copies }
  const patch = Buffer.concat([...patchPieces(content)])
  try {
    return zstdDecompressSync(patch.subarray(HEADER), { dictionary: base }).equals(base)
  } catch {
    return false
  }
}
