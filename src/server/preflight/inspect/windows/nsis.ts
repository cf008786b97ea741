import { type Budget, notRead } from '../budget.ts'
import { partOf, readUpTo, type Source } from '../source.ts'
import type { Pe } from './pe.ts'

const SIGNATURE = Buffer.from('efbeadde4e756c6c736f6674496e7374', 'hex')
const ALIGNMENT = 512
const FIRST_HEADER = 28
const PACKED = 0x8000_0000
/** No header is shorter: a smaller number is the start of data that is compressed as one. */
const MIN_HEADER = 256

/** Returns what an installer of NSIS has behind its program; undefined if it is none. */
export async function findNsis(pe: Pe): Promise<Source | undefined> {
  const start = Math.ceil(pe.overlay / ALIGNMENT) * ALIGNMENT
  for (const at of new Set([pe.overlay, start])) {
    const header = await readUpTo(pe.source, at, FIRST_HEADER)
    if (header.length === FIRST_HEADER && header.subarray(4, 20).equals(SIGNATURE)) {
      return partOf(pe.source, at + FIRST_HEADER, header.readUInt32LE(24) - FIRST_HEADER)
    }
  }
  return undefined
}

/**
 * Yields the files of an installer that are stored as they are, as electron-builder stores the archive of the app. Throws
 * `Unread` if all of it is compressed as one.
 */
export async function* storedInNsis(data: Source, budget: Budget): AsyncGenerator<Source, void> {
  const header = (await data.read(0, 4)).readUInt32LE()
  const size = header % PACKED
  if (header < PACKED || size < MIN_HEADER || size > data.size) throw notRead('nsis_solid')
  // A checksum of 4 bytes may follow the last one.
  for (let at = 4 + size; at + 4 < data.size; ) {
    budget.spend('entries', 1)
    const length = (await data.read(at, 4)).readUInt32LE()
    if (length < PACKED) yield partOf(data, at + 4, length)
    at += 4 + (length % PACKED)
  }
}
