import { damaged } from '../budget.ts'
import type { Source } from '../source.ts'

// "PE Format", Microsoft.
const MACHINES: ReadonlyMap<number, string> = new Map([
  [0x014c, 'i686'],
  [0x8664, 'x86_64'],
  [0xaa64, 'aarch64'],
  [0x01c4, 'armv7'],
])
const MACHINE_I386 = 0x014c
const FLAG_DLL = 0x2000
const MAGIC_32 = 0x10b
const MAGIC_64 = 0x20b
const RESOURCES = 2
const CERTIFICATES = 4
const CLR = 14

export interface Section {
  readonly name: string
  readonly address: number
  /** Bytes in the file. */
  readonly size: number
  readonly offset: number
}

/** `entry`: where the data directory has its place and size, in eight bytes. */
interface CertificateTable {
  readonly offset: number
  readonly size: number
  readonly entry: number
}

export interface Pe {
  readonly source: Source
  /** Undefined for a machine that is not known. */
  readonly arch: string | undefined
  readonly isLibrary: boolean
  readonly sections: readonly Section[]
  /** Where resources begin, and its address in memory; undefined if there are none. */
  readonly resources: { readonly offset: number; readonly address: number } | undefined
  /** Of the certificate table, which is beside the sections; undefined if it is not signed. */
  readonly certificates: CertificateTable | undefined
  /** Where the checksum of the file is, of four bytes. */
  readonly checksum: number
  /** Where the sections end, and whatever was appended begins. */
  readonly overlay: number
}

/** Reads the headers of a PE file. Throws `Unread` for what is none. */
export async function readPe(source: Source): Promise<Pe> {
  const start = (await source.read(0x3c, 4)).readUInt32LE()
  const header = await source.read(start, 24)
  if (header.toString('latin1', 0, 4) !== 'PE\0\0') throw damaged()
  const machine = header.readUInt16LE(4)
  const optional = await source.read(start + 24, header.readUInt16LE(20))
  const sections = await readSections(source, start + 24 + optional.length, header.readUInt16LE(6))
  const directory = directoriesIn(optional)
  const resources = directory(RESOURCES)
  const certificates = directory(CERTIFICATES)
  const clr = directory(CLR)
  const resourcesAt = resources && offsetOf(sections, resources.address)
  const isPortable =
    machine === MACHINE_I386 && clr !== undefined && (await isAnyCpu(source, sections, clr.address))
  return {
    source,
    arch: isPortable ? 'any' : MACHINES.get(machine),
    isLibrary: (header.readUInt16LE(22) & FLAG_DLL) !== 0,
    sections,
    resources:
      resources && resourcesAt !== undefined
        ? { offset: resourcesAt, address: resources.address }
        : undefined,
    certificates: certificates && {
      ...{ offset: certificates.address, size: certificates.size },
      entry: start + 24 + certificates.entry,
    },
    checksum: start + 24 + 64,
    overlay: Math.max(0, ...sections.map(({ offset, size }) => offset + size)),
  }
}

/** Returns where an address in memory is in the file; undefined if no section has it. */
export function offsetOf(sections: readonly Section[], address: number): number | undefined {
  const section = sections.find((each) => {
    return address >= each.address && address < each.address + each.size
  })
  return section && section.offset + address - section.address
}

async function readSections(source: Source, offset: number, count: number): Promise<Section[]> {
  const table = await source.read(offset, count * 40)
  return Array.from({ length: count }, (_, index) => {
    const entry = table.subarray(index * 40, index * 40 + 40)
    return {
      name: entry.toString('latin1', 0, 8).replace(/\0+$/, ''),
      address: entry.readUInt32LE(12),
      size: entry.readUInt32LE(16),
      offset: entry.readUInt32LE(20),
    }
  })
}

/** Returns a function that finds a data directory, which is undefined if it is empty. */
function directoriesIn(optional: Buffer) {
  const magic = optional.readUInt16LE(0)
  if (magic !== MAGIC_32 && magic !== MAGIC_64) throw damaged()
  const start = magic === MAGIC_32 ? 96 : 112
  const count = optional.readUInt32LE(start - 4)
  return (index: number) => {
    const at = start + index * 8
    if (index >= count || at + 8 > optional.length) return undefined
    const size = optional.readUInt32LE(at + 4)
    return size === 0 ? undefined : { address: optional.readUInt32LE(at), size, entry: at }
  }
}

/** .NET runs a program of IL alone on any processor, unless it requires 32 bits (ECMA-335, II.25.3.3.1). */
async function isAnyCpu(source: Source, sections: readonly Section[], address: number) {
  const offset = offsetOf(sections, address)
  if (offset === undefined) throw damaged()
  const flags = (await source.read(offset + 16, 4)).readUInt32LE()
  return (flags & 3) === 1
}
