import type { Section } from '../app/tauri.ts'
import { type Budget, damaged } from '../budget.ts'
import { partOf, readUpTo, type Source } from '../source.ts'

// <Security/CSCommon.h> and cs_blobs.h of XNU.
const SUPER_BLOB = 0xfade0cc0
const CODE_DIRECTORY = 0xfade0c02
const SLOT_CODE_DIRECTORY = 0
/** The first version with a team. */
const WITH_TEAM = 0x20200
const MAX_TEAM = 64

/** Returns the team that a code directory names; null if it names none. Throws `Unread`. */
async function teamIn(signature: Source, budget: Budget): Promise<string | null> {
  const header = await signature.read(0, 12)
  if (header.readUInt32BE() !== SUPER_BLOB) throw damaged()
  const count = header.readUInt32BE(8)
  budget.spend('entries', count)
  const index = await signature.read(12, count * 8)
  for (let at = 0; at < index.length; at += 8) {
    if (index.readUInt32BE(at) === SLOT_CODE_DIRECTORY) {
      return teamOf(signature, index.readUInt32BE(at + 4))
    }
  }
  return null
}

async function teamOf(signature: Source, offset: number): Promise<string | null> {
  const directory = await signature.read(offset, 52)
  if (directory.readUInt32BE() !== CODE_DIRECTORY) throw damaged()
  if (directory.readUInt32BE(8) < WITH_TEAM) return null
  const team = directory.readUInt32BE(48)
  if (team === 0) return null
  const bytes = await readUpTo(signature, offset + team, MAX_TEAM)
  const end = bytes.indexOf(0)
  if (end < 1) throw damaged()
  return bytes.toString('latin1', 0, end)
}

// <mach-o/loader.h>, <mach-o/fat.h>
const FAT = 0xcafebabe
const FAT_64 = 0xcafebabf
const THIN = 0xfeedface
const THIN_64 = 0xfeedfacf
/** A class file of Java has the magic of a universal binary, and a higher number where this has how many there are. */
const MAX_ARCHES = 30
const MAX_COMMANDS = 1_024 * 1_024
const LC_SEGMENT_64 = 0x19
const LC_CODE_SIGNATURE = 0x1d

const CPUS: ReadonlyMap<number, string> = new Map([
  [7, 'i686'],
  [0x0100_0007, 'x86_64'],
  [12, 'armv7'],
  [0x0100_000c, 'aarch64'],
])

/** One architecture of a program of macOS. */
export interface MachO {
  readonly source: Source
  /** Undefined for a processor that is not known. */
  readonly arch: string | undefined
  /** The team of Apple's developer program that signed it; null if it is not signed, or by nobody in particular. */
  readonly team: string | null
  readonly sections: readonly Section[]
}

/** Returns whether bytes are the start of a program of macOS, for one or several architectures. */
export function isMachO(start: Buffer): boolean {
  if (start.length < 8) return false
  const magic = start.readUInt32BE()
  if (magic === FAT || magic === FAT_64) return start.readUInt32BE(4) <= MAX_ARCHES
  return [THIN, THIN_64].includes(start.readUInt32LE())
}

/** Reads a program for one or several architectures. Throws `Unread`. */
export async function readMachO(source: Source, budget: Budget): Promise<MachO[]> {
  const start = await source.read(0, 8)
  const magic = start.readUInt32BE()
  if (magic !== FAT && magic !== FAT_64) return [await readThin(source, budget)]
  const count = start.readUInt32BE(4)
  if (count > MAX_ARCHES) throw damaged()
  const entry = magic === FAT ? 20 : 32
  const table = await source.read(8, count * entry)
  const programs: MachO[] = []
  for (let at = 0; at < table.length; at += entry) {
    const [offset, size] =
      magic === FAT
        ? [table.readUInt32BE(at + 8), table.readUInt32BE(at + 12)]
        : [Number(table.readBigUInt64BE(at + 8)), Number(table.readBigUInt64BE(at + 16))]
    programs.push(await readThin(partOf(source, offset, size), budget))
  }
  return programs
}

async function readThin(source: Source, budget: Budget): Promise<MachO> {
  const header = await source.read(0, 28)
  const magic = header.readUInt32LE()
  const size = header.readUInt32LE(20)
  if ((magic !== THIN && magic !== THIN_64) || size > MAX_COMMANDS) throw damaged()
  const commands = await source.read(magic === THIN ? 28 : 32, size)
  const count = header.readUInt32LE(16)
  budget.spend('entries', count)
  let team: string | null = null
  const sections: Section[] = []
  for (let index = 0, at = 0; index < count; index += 1) {
    const command = commands.readUInt32LE(at)
    const length = commands.readUInt32LE(at + 4)
    if (length < 8) throw damaged()
    if (command === LC_CODE_SIGNATURE) {
      const [offset, bytes] = [commands.readUInt32LE(at + 8), commands.readUInt32LE(at + 12)]
      team = await teamIn(partOf(source, offset, bytes), budget)
    }
    if (command === LC_SEGMENT_64) sections.push(...sectionsIn(commands.subarray(at, at + length)))
    at += length
  }
  return { source, arch: CPUS.get(header.readUInt32LE(4)), team, sections }
}

function sectionsIn(segment: Buffer) {
  const table = segment.subarray(72)
  const count = Math.min(segment.readUInt32LE(64), Math.floor(table.length / 80))
  return Array.from({ length: count }, (_, index) => {
    const entry = table.subarray(index * 80, index * 80 + 80)
    return {
      name: entry.toString('latin1', 0, 16).replace(/\0.*$/s, ''),
      size: Number(entry.readBigUInt64LE(40)),
      offset: entry.readUInt32LE(48),
    }
  })
}
