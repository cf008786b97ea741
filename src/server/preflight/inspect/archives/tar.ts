import { type Budget, damaged } from '../budget.ts'
import { streamedSource } from '../source.ts'
import { type Entry, plainPath } from './entry.ts'
import { PieceReader } from './piece-reader.ts'

const BLOCK = 512
/** Long names and extended headers are shorter. */
const MAX_EXTENSION = 1_024 * 1_024

/** Lists the files of a tar in order (POSIX `ustar` and `pax`, and the long names of GNU). */
export async function* tarEntries(
  pieces: AsyncIterator<Buffer>,
  budget: Budget,
): AsyncGenerator<Entry, void> {
  const reader = new PieceReader(pieces)
  let next: { path?: string; size?: number } = {}
  for (;;) {
    budget.spend('entries', 1)
    const header = await reader.take(BLOCK)
    if (header === undefined || header.every((byte) => byte === 0)) return
    mustAddUp(header)
    const type = String.fromCharCode(header[156] ?? 0)
    const size = next.size ?? sizeIn(header)
    const end = reader.position + Math.ceil(size / BLOCK) * BLOCK
    if (type === 'L' || type === 'x') {
      if (size > MAX_EXTENSION) throw damaged()
      const bytes = (await reader.take(size)) ?? Buffer.alloc(0)
      next = type === 'L' ? { ...next, path: textIn(bytes) } : { ...next, ...paxFields(bytes) }
    } else if (type === '0' || type === '\0') {
      const path = plainPath(next.path ?? pathIn(header))
      const data = reader.until(reader.position + size)
      yield { path, size, open: async () => streamedSource(data, size) }
      next = {}
    } else {
      next = {}
    }
    await reader.skipTo(end)
  }
}

function mustAddUp(header: Buffer): void {
  const expected = Number.parseInt(header.toString('latin1', 148, 156), 8)
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  if (sum !== expected) throw damaged()
}

function sizeIn(header: Buffer): number {
  // GNU writes what does not fit as a big-endian number, with the highest bit set.
  const size =
    ((header[124] ?? 0) & 0x80) === 0
      ? Number.parseInt(textIn(header.subarray(124, 136)).trim() || '0', 8)
      : Number(header.readBigUInt64BE(128))
  if (!Number.isSafeInteger(size)) throw damaged()
  return size
}

function pathIn(header: Buffer): string {
  const name = textIn(header.subarray(0, 100))
  const isUstar = header.toString('latin1', 257, 263) === 'ustar\0'
  const prefix = isUstar ? textIn(header.subarray(345, 500)) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function textIn(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

/** Records of `LENGTH KEY=VALUE\n`. */
function paxFields(bytes: Buffer): { path?: string; size?: number } {
  const fields: { path?: string; size?: number } = {}
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 12), 10)
    if (!(length > 0)) throw damaged()
    const [, key, value] =
      /^\d+ ([^=]+)=(.*)\n$/s.exec(bytes.toString('utf8', at, at + length)) ?? []
    if (key === 'path' && value !== undefined) fields.path = value
    if (key === 'size' && value !== undefined && /^\d{1,15}$/.test(value))
      fields.size = Number(value)
    at += length
  }
  return fields
}
