import { type Budget, damaged, Unread } from '../budget.ts'
import type { Source } from '../source.ts'

// "RPM Package File Structure", Linux Standard Base.
const LEAD = 96
const HEADER = Buffer.from('8eade801', 'hex')
const TEXT = 6
const TAGS = { name: 1000, version: 1001, release: 1002, arch: 1022, payload: 1125 } as const
const MAX_INDEX = 100_000
const MAX_STORE = 32 * 1_024 * 1_024

/** What an rpm says of itself. Undefined: it does not. */
export interface Rpm {
  readonly name: string | undefined
  readonly version: string | undefined
  readonly arch: string | undefined
  /** How the files are compressed: `xz`, `zstd`, `gzip`. */
  readonly compression: string | undefined
  /** Where they begin. */
  readonly payload: number
}

/** Returns whether bytes are the start of an rpm. */
export function isRpm(start: Buffer): boolean {
  return start.toString('hex', 0, 4) === 'edabeedb'
}

/** Reads the header of an rpm. Throws `Unread`. */
export async function readRpm(source: Source, budget: Budget): Promise<Rpm> {
  const signature = await readHeader(source, LEAD, budget)
  const header = await readHeader(source, Math.ceil(signature.end / 8) * 8, budget)
  return {
    name: header.text(TAGS.name),
    version: header.text(TAGS.version),
    arch: header.text(TAGS.arch),
    compression: header.text(TAGS.payload),
    payload: header.end,
  }
}

async function readHeader(source: Source, offset: number, budget: Budget) {
  const intro = await source.read(offset, 16)
  if (!intro.subarray(0, 4).equals(HEADER)) throw damaged()
  const [count, size] = [intro.readUInt32BE(8), intro.readUInt32BE(12)]
  if (count > MAX_INDEX || size > MAX_STORE)
    throw new Unread({ code: 'over_limit', limit: 'bytes' })
  budget.spend('entries', count)
  const index = await source.read(offset + 16, count * 16)
  const start = offset + 16 + index.length
  const store = await source.read(start, size)
  return {
    end: start + size,
    text(tag: number): string | undefined {
      for (let at = 0; at < index.length; at += 16) {
        if (index.readUInt32BE(at) !== tag || index.readUInt32BE(at + 4) !== TEXT) continue
        const from = index.readUInt32BE(at + 8)
        const to = store.indexOf(0, from)
        if (to === -1) throw damaged()
        return store.toString('utf8', from, to)
      }
      return undefined
    },
  }
}
