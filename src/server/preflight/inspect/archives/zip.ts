import { type Budget, damaged, notRead } from '../budget.ts'
import { partOf, readUpTo, type Source, streamedSource } from '../source.ts'
import { decompressed } from './decompress.ts'
import { type Entry, plainPath } from './entry.ts'

// APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3.
const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const MAX_COMMENT = 65_535

/** Lists a zip by its central directory, also with something before it. */
export async function* zipEntries(source: Source, budget: Budget): AsyncGenerator<Entry, void> {
  const { offset, size, count, shift } = await findDirectory(source)
  const directory = partOf(source, offset, size)
  for (let index = 0, at = 0; index < count; index += 1) {
    budget.spend('entries', 1)
    const header = await directory.read(at, 46)
    if (header.readUInt32LE(0) !== CENTRAL) throw damaged()
    const nameLength = header.readUInt16LE(28)
    const extraLength = header.readUInt16LE(30)
    const rest = await directory.read(at + 46, nameLength + extraLength)
    at += 46 + nameLength + extraLength + header.readUInt16LE(32)
    const place = placeOf(header, rest.subarray(nameLength))
    yield {
      path: plainPath(rest.toString('utf8', 0, nameLength)),
      size: place.size,
      open: () => openMember(source, { ...place, local: place.local + shift }, budget),
    }
  }
}

interface Place {
  readonly size: number
  readonly packed: number
  readonly local: number
  readonly method: number
  readonly isEncrypted: boolean
}

/** Sizes that do not fit are in the extra field 1, in this order, and only those. */
function placeOf(header: Buffer, extra: Buffer): Place {
  const wide = extraField(extra, 1)
  let at = 0
  const number = (short: number): number => {
    if (short !== 0xffff_ffff || wide === undefined) return short
    at += 8
    return Number(wide.readBigUInt64LE(at - 8))
  }
  return {
    size: number(header.readUInt32LE(24)),
    packed: number(header.readUInt32LE(20)),
    local: number(header.readUInt32LE(42)),
    method: header.readUInt16LE(10),
    isEncrypted: (header.readUInt16LE(8) & 1) === 1,
  }
}

function extraField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, end)
    at = end
  }
  return undefined
}

async function openMember(source: Source, place: Place, budget: Budget): Promise<Source> {
  if (place.isEncrypted) throw notRead('zip_encrypted')
  const header = await source.read(place.local, 30)
  if (header.readUInt32LE(0) !== LOCAL) throw damaged()
  const start = place.local + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  const packed = partOf(source, start, place.packed)
  if (place.method === 0) return packed
  if (place.method !== 8) throw notRead(`zip_method_${place.method}`)
  return streamedSource(decompressed(packed, 'deflate', budget), place.size)
}

/** `shift`: bytes before the zip, which its offsets do not count. */
async function findDirectory(source: Source) {
  const start = Math.max(0, source.size - MAX_COMMENT - 22)
  const tail = await readUpTo(source, start, MAX_COMMENT + 22)
  const found = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]), tail.length - 22)
  if (found === -1 || tail.readUInt32LE(found) !== END) throw damaged()
  const end = start + found
  const size = tail.readUInt32LE(found + 12)
  const offset = tail.readUInt32LE(found + 16)
  const count = tail.readUInt16LE(found + 10)
  if (count !== 0xffff && size !== 0xffff_ffff && offset !== 0xffff_ffff) {
    const at = end - size
    return { offset: at, size, count, shift: at - offset }
  }
  return findDirectory64(source, end)
}

async function findDirectory64(source: Source, end: number) {
  const locator = await source.read(end - 20, 20)
  if (locator.readUInt32LE(0) !== LOCATOR_64) throw damaged()
  const record = await source.read(Number(locator.readBigUInt64LE(8)), 56)
  if (record.readUInt32LE(0) !== END_64) throw damaged()
  const [count, size, offset] = [32, 40, 48].map((at) => Number(record.readBigUInt64LE(at)))
  if (count === undefined || size === undefined || offset === undefined) throw damaged()
  return { offset, size, count, shift: 0 }
}
