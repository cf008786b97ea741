import type { Entry } from '../archives/entry.ts'
import { type Budget, damaged } from '../budget.ts'
import { partOf, type Source } from '../source.ts'

const MAGIC = '!<arch>\n'
const HEADER = 60

/** Returns whether bytes are the start of an `ar` archive. */
export function isAr(start: Buffer): boolean {
  return start.toString('latin1', 0, 8) === MAGIC
}

/** Lists the members of an `ar` archive, such as a package of Debian (deb(5)). */
export async function* arEntries(source: Source, budget: Budget): AsyncGenerator<Entry, void> {
  for (let at = MAGIC.length; at + HEADER <= source.size; ) {
    budget.spend('entries', 1)
    const header = (await source.read(at, HEADER)).toString('latin1')
    const size = Number(header.slice(48, 58))
    if (!header.endsWith('`\n') || !Number.isSafeInteger(size) || size < 0) throw damaged()
    const start = at + HEADER
    yield {
      path: header.slice(0, 16).trim().replace(/\/$/, ''),
      size,
      open: async () => partOf(source, start, size),
    }
    at = start + size + (size % 2)
  }
}

/** Returns a field of the control file of a package; undefined if it has none. */
export function controlField(text: string, name: string): string | undefined {
  const line = text.split('\n').find((each) => each.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}
