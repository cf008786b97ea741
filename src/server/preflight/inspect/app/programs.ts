import { isMachO, readMachO } from '../apple/mach-o.ts'
import type { Findings } from '../findings.ts'
import { isElf, readElf } from '../linux/elf.ts'
import { readUpTo, type Source } from '../source.ts'
import { readPe } from '../windows/pe.ts'
import { findTauri } from './tauri.ts'

export interface InspectedProgram {
  readonly arches: readonly string[]
  /** Of Apple; undefined for programs of other systems. */
  readonly team?: string | null
}

/** Reads a program inside an archive; undefined for a library, and for what is no program. */
export async function readProgram(
  source: Source,
  findings: Findings,
): Promise<InspectedProgram | undefined> {
  const start = await readUpTo(source, 0, 64)
  if (start.toString('latin1', 0, 2) === 'MZ') {
    const pe = await readPe(source)
    if (pe.isLibrary) return undefined
    await findTauri(pe, findings)
    return { arches: named([pe]) }
  }
  if (isElf(start)) {
    const elf = await readElf(source)
    await findTauri(elf, findings)
    return { arches: named([elf]) }
  }
  return isMachO(start) ? readAppleProgram(source, findings) : undefined
}

/** Reads a program of macOS, with who signed it. */
export async function readAppleProgram(
  source: Source,
  findings: Findings,
): Promise<InspectedProgram> {
  const programs = await readMachO(source, findings.budget)
  for (const program of programs) await findTauri(program, findings)
  const teams = new Set(programs.map(({ team }) => team))
  const [team = null] = teams.size === 1 ? teams : []
  return { arches: named(programs), team }
}

function named(programs: readonly { readonly arch: string | undefined }[]): string[] {
  return programs.flatMap(({ arch }) => arch ?? [])
}
