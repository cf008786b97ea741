import type { Section } from '../app/tauri.ts'
import { damaged } from '../budget.ts'
import type { Source } from '../source.ts'

// "System V Application Binary Interface", chapter 4.
const MACHINES: ReadonlyMap<number, string> = new Map([
  [3, 'i686'],
  [40, 'armv7'],
  [62, 'x86_64'],
  [183, 'aarch64'],
])
const RISCV = 243
const NO_BITS = 8
/** Two bytes of AppImages, behind what ELF has there. */
const APPIMAGE_2 = 'AI\x02'

/** A program or library of Linux. */
export interface Elf {
  readonly source: Source
  /** Undefined for a machine that is not known. */
  readonly arch: string | undefined
  readonly isAppImage: boolean
  readonly sections: readonly Section[]
  /** Where the table of sections ends, and whatever was appended begins. */
  readonly end: number
}

/** Returns whether bytes are the start of a program of Linux. */
export function isElf(start: Buffer): boolean {
  return start.toString('latin1', 0, 4) === '\x7fELF'
}

/** Reads the headers of a program of Linux, of the byte order of all that are known. Throws `Unread`. */
export async function readElf(source: Source): Promise<Elf> {
  const header = await source.read(0, Math.min(64, source.size))
  const is64 = header.readUInt8(4) === 2
  if (!isElf(header) || header.readUInt8(5) !== 1) throw damaged()
  const machine = header.readUInt16LE(18)
  const table = is64 ? Number(header.readBigUInt64LE(40)) : header.readUInt32LE(32)
  const [entry, count, names] = [0, 2, 4].map((at) => header.readUInt16LE((is64 ? 58 : 46) + at))
  const size = (entry ?? 0) * (count ?? 0)
  return {
    source,
    arch: machine === RISCV ? (is64 ? 'riscv64' : 'riscv32') : MACHINES.get(machine),
    isAppImage: header.toString('latin1', 8, 11) === APPIMAGE_2,
    sections:
      size === 0 ? [] : await readSections(await source.read(table, size), entry ?? 0, names ?? 0),
    end: table + size,
  }

  async function readSections(bytes: Buffer, width: number, namesAt: number) {
    if (width < (is64 ? 64 : 40)) throw damaged()
    const rows = Array.from({ length: bytes.length / width }, (_, index) => {
      const row = bytes.subarray(index * width, index * width + width)
      const [offset = 0, length = 0] = is64
        ? [24, 32].map((at) => Number(row.readBigUInt64LE(at)))
        : [16, 20].map((at) => row.readUInt32LE(at))
      return { name: row.readUInt32LE(0), type: row.readUInt32LE(4), offset, length }
    })
    const table = rows[namesAt]
    if (table === undefined || table.length > 65_536) return []
    const texts = await source.read(table.offset, table.length)
    return rows.map(({ name, type, offset, length }) => {
      const end = texts.indexOf(0, name)
      const text = end === -1 ? '' : texts.toString('latin1', name, end)
      return { name: text, offset, size: type === NO_BITS ? 0 : length }
    })
  }
}
