import { type Budget, damaged, Unread } from '../budget.ts'
import type { Source } from '../source.ts'

// [MS-CFB], Compound File Binary File Format.
const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex')
/** Sectors that the header names of those that have the table of sectors. */
const IN_HEADER = 109
const ENTRY = 128
const ROOT = 5
const STREAM = 2
/** What is read of one stream: no table is larger. */
const MAX_STREAM = 32 * 1_024 * 1_024

/** Returns whether bytes are the start of a compound file. */
export function isCompoundFile(start: Buffer): boolean {
  return start.subarray(0, 8).equals(MAGIC)
}

/** A file system in a file, of which the streams are found by their names. */
export interface CompoundFile {
  /** Reads a stream by its name; undefined if there is none. Throws `Unread`. */
  stream(name: string): Promise<Buffer | undefined>
}

interface Stored {
  readonly start: number
  readonly size: number
}

/** Opens a compound file. `nameOf` returns the name that a stored name means. Throws `Unread`. */
export async function openCompoundFile(
  source: Source,
  nameOf: (stored: string) => string,
  budget: Budget,
): Promise<CompoundFile> {
  const header = await source.read(0, 512)
  const shift = header.readUInt16LE(30)
  if (!isCompoundFile(header) || (shift !== 9 && shift !== 12)) throw damaged()
  const sectorSize = 2 ** shift
  const perSector = sectorSize / 4
  const smallSize = 2 ** header.readUInt16LE(32)
  const cutoff = header.readUInt32LE(56)
  if (smallSize !== 64) throw damaged()

  const sector = (index: number) => source.read((index + 1) * sectorSize, sectorSize)
  const nextSector = (index: number) => linkIn(tableSector(Math.floor(index / perSector)), index)
  const root = { start: header.readUInt32LE(48), size: Number.POSITIVE_INFINITY }
  const entries = await chained(root, nextSector, sector, sectorSize, true)
  const streams = new Map<string, Stored>()
  let small: Stored = { start: 0, size: 0 }
  for (let at = 0; at + ENTRY <= entries.length; at += ENTRY) {
    const entry = entries.subarray(at, at + ENTRY)
    const stored = { start: entry.readUInt32LE(116), size: entry.readUInt32LE(120) }
    const length = Math.min(64, Math.max(2, entry.readUInt16LE(64)))
    if (entry[66] === ROOT) small = stored
    if (entry[66] === STREAM) streams.set(nameOf(entry.toString('utf16le', 0, length - 2)), stored)
  }
  let smallSectors: Promise<readonly [Buffer, Buffer]> | undefined

  return {
    async stream(name) {
      const stored = streams.get(name)
      if (stored === undefined) return undefined
      if (stored.size >= cutoff) return chained(stored, nextSector, sector, sectorSize)
      smallSectors ??= readSmall()
      const [table, bytes] = await smallSectors
      const next = async (index: number) => table.readUInt32LE(index * 4)
      const read = async (index: number) =>
        bytes.subarray(index * smallSize, (index + 1) * smallSize)
      return chained(stored, next, read, smallSize)
    },
  }

  /** Small streams share one, which has a table of its own. */
  async function readSmall(): Promise<readonly [Buffer, Buffer]> {
    const count = header.readUInt32LE(64)
    const table = { start: header.readUInt32LE(60), size: count * sectorSize }
    return [
      await chained(table, nextSector, sector, sectorSize),
      await chained(small, nextSector, sector, sectorSize),
    ]
  }

  async function tableSector(index: number): Promise<Buffer> {
    if (index < IN_HEADER) return sector(header.readUInt32LE(76 + index * 4))
    let rest = index - IN_HEADER
    let at = header.readUInt32LE(68)
    for (; rest >= perSector - 1; rest -= perSector - 1) {
      budget.spend('entries', 1)
      at = (await sector(at)).readUInt32LE(sectorSize - 4)
    }
    return sector((await sector(at)).readUInt32LE(rest * 4))
  }

  async function linkIn(table: Promise<Buffer>, index: number): Promise<number> {
    return (await table).readUInt32LE((index % perSector) * 4)
  }

  /** Reads what is in sectors that each name the next one. A circle ends with the size. */
  async function chained(
    { start, size }: Stored,
    next: (index: number) => Promise<number>,
    read: (index: number) => Promise<Buffer>,
    unit: number,
    isToEnd = false,
  ): Promise<Buffer> {
    if (!isToEnd && size > MAX_STREAM) throw new Unread({ code: 'over_limit', limit: 'bytes' })
    const pieces: Buffer[] = []
    let length = 0
    for (let at = start; length < size && !(isToEnd && at >= LAST); at = await next(at)) {
      budget.spend('entries', 1)
      const piece = await read(at)
      length += piece.length
      if (piece.length < unit || length > MAX_STREAM + unit) throw damaged()
      pieces.push(piece)
    }
    return Buffer.concat(pieces).subarray(0, Math.min(length, size))
  }
}

/** Numbers from here on are no sectors: the end of a chain among them. */
const LAST = 0xffff_fffa
