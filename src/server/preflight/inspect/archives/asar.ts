import { type Budget, damaged, orDamaged, Unread } from '../budget.ts'
import { partOf, type Source } from '../source.ts'

const MAX_HEADER = 32 * 1_024 * 1_024
const MAX_ENTRY = 64 * 1_024

/** Returns whether bytes are the start of an archive of Electron: a length of 4, and lengths that fit each other. */
export function isAsar(start: Buffer): boolean {
  if (start.length < 16 || start.readUInt32LE(0) !== 4) return false
  return (
    start.readUInt32LE(4) === start.readUInt32LE(8) + 4 && start.toString('latin1', 16, 17) === '{'
  )
}

/** Returns a file in the root of an archive of Electron; undefined if it has none of that name, or beside itself. */
export async function fileInAsar(
  source: Source,
  name: string,
  budget: Budget,
): Promise<Source | undefined> {
  const sizes = await source.read(0, 16)
  const headerSize = sizes.readUInt32LE(4)
  const length = sizes.readUInt32LE(12)
  if (length > MAX_HEADER) throw new Unread({ code: 'over_limit', limit: 'bytes' })
  budget.spend('entries', 1)
  const entry = entryIn(await source.read(16, length), name)
  if (entry === undefined || memberOf(entry, 'unpacked') === true) return undefined
  const offset = Number(memberOf(entry, 'offset'))
  return partOf(source, 8 + headerSize + offset, Number(memberOf(entry, 'size')))
}

const CODES = { quote: 0x22, colon: 0x3a, escape: 0x5c } as const
/** Brackets, by what they add to the depth. */
const DEPTHS: ReadonlyMap<number, number> = new Map([
  [0x7b, 1],
  [0x5b, 1],
  [0x7d, -1],
  [0x5d, -1],
])
/** How a header begins, and how deep its brackets are then. */
const START = Buffer.from('{"files":{')
const FILES = 2

/** Returns what a header says of a file in the root. Parses nothing else: it can have millions of members. */
function entryIn(header: Buffer, name: string): unknown {
  if (!header.subarray(0, START.length).equals(START)) throw damaged()
  const key = Buffer.from(JSON.stringify(name))
  let depth = 0
  let start: number | undefined
  for (let at = 0; at < header.length; at += 1) {
    const code = header[at] ?? 0
    if (code === CODES.quote) {
      const end = endOfText(header, at)
      const isKey = depth === FILES && header[end] === CODES.colon
      const isFound = isKey && header.subarray(at, end).equals(key)
      if (isFound) start = end + 1
      at = isFound ? end : end - 1
    } else {
      depth += DEPTHS.get(code) ?? 0
      if (start !== undefined && depth <= FILES) return parsed(header.subarray(start, at + 1))
    }
  }
  if (depth !== 0) throw damaged()
  return undefined
}

/** Where the text ends that begins at a quote. */
function endOfText(header: Buffer, from: number): number {
  for (let at = from + 1; at < header.length; at += 1) {
    if (header[at] === CODES.quote) return at + 1
    if (header[at] === CODES.escape) at += 1
  }
  throw damaged()
}

function parsed(bytes: Buffer): unknown {
  if (bytes.length > MAX_ENTRY) throw new Unread({ code: 'over_limit', limit: 'bytes' })
  return orDamaged(() => JSON.parse(bytes.toString()))
}

/** Returns an own member of an object; undefined for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}
