import { type Budget, damaged } from '../budget.ts'
import { streamedSource } from '../source.ts'
import { type Entry, plainPath } from './entry.ts'
import { PieceReader } from './piece-reader.ts'

const HEADER = 110
const MAX_NAME = 65_536
const LAST = 'TRAILER!!!'

/** Lists the files of a cpio archive of the new ASCII format, which rpm has inside, in order. */
export async function* cpioEntries(
  pieces: AsyncIterator<Buffer>,
  budget: Budget,
): AsyncGenerator<Entry, void> {
  const reader = new PieceReader(pieces)
  for (;;) {
    budget.spend('entries', 1)
    const header = (await reader.take(HEADER))?.toString('latin1')
    if (header === undefined || !/^07070[12][0-9a-f]{104}$/i.test(header)) throw damaged()
    const [mode, size, nameLength] = [14, 54, 94].map((at) => {
      return Number.parseInt(header.slice(at, at + 8), 16)
    })
    if (mode === undefined || size === undefined || !nameLength || nameLength > MAX_NAME) {
      throw damaged()
    }
    const name = (await reader.take(nameLength))?.toString('utf8', 0, nameLength - 1) ?? ''
    if (name === LAST) return
    await reader.skipTo(Math.ceil(reader.position / 4) * 4)
    const end = reader.position + size
    if ((mode & 0o170000) === 0o100000) {
      const data = reader.until(end)
      yield { path: plainPath(name), size, open: async () => streamedSource(data, size) }
    }
    await reader.skipTo(Math.ceil(end / 4) * 4)
  }
}
