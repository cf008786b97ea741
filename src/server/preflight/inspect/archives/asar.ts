import { type Budget, damaged, Unread } from '../budget.ts'
import { partOf, type Source } from '../source.ts'

const MAX_HEADER = 32 * 1_024 * 1_024

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
  const files = memberOf(parsed(await source.read(16, length)), 'files')
  const entry = memberOf(files, name)
  if (entry === undefined || memberOf(entry, 'unpacked') === true) return undefined
  const offset = Number(memberOf(entry, 'offset'))
  return partOf(source, 8 + headerSize + offset, Number(memberOf(entry, 'size')))
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw damaged()
  }
}

/** Returns an own member of an object; undefined for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}
