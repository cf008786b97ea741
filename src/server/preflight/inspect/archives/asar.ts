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
  const entry = entryIn((await source.read(16, length)).toString('latin1'), name)
  if (entry === undefined || memberOf(entry, 'unpacked') === true) return undefined
  const offset = Number(memberOf(entry, 'offset'))
  return partOf(source, 8 + headerSize + offset, Number(memberOf(entry, 'size')))
}

/** How a header begins, and how deep its brackets are then. */
const START = '{"files":{'
const FILES = 2
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/gs

/** Returns what a header says of a file in the root. Parses nothing else: it can have millions of members. */
function entryIn(header: string, name: string): unknown {
  if (!header.startsWith(START)) throw damaged()
  const key = JSON.stringify(name)
  let depth = 0
  let start: number | undefined
  for (const { 0: token, index } of header.matchAll(TOKEN)) {
    const end = index + token.length
    if (token.startsWith('"')) {
      if (depth === FILES && token === key && header[end] === ':') start = end + 1
    } else {
      depth += '{['.includes(token) ? 1 : -1
      if (start !== undefined && depth <= FILES) return parsed(header.slice(start, end))
    }
  }
  if (depth !== 0) throw damaged()
  return undefined
}

function parsed(text: string): unknown {
  if (text.length > MAX_ENTRY) throw new Unread({ code: 'over_limit', limit: 'bytes' })
  return orDamaged(() => JSON.parse(text))
}

/** Returns an own member of an object; undefined for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}
