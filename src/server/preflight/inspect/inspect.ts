import { inspectContents, readAsar } from './app/contents.ts'
import { readAppleProgram } from './app/programs.ts'
import { isMachO } from './apple/mach-o.ts'
import { isAsar } from './archives/asar.ts'
import { decompressed } from './archives/decompress.ts'
import type { Entry } from './archives/entry.ts'
import { tarEntries } from './archives/tar.ts'
import { zipEntries } from './archives/zip.ts'
import { Budget, notRead, ReadFailure } from './budget.ts'
import { type FileFacts, INSPECT_LIMITS, type InspectedFile, type InspectLimits } from './facts.ts'
import { Findings } from './findings.ts'
import { isElf } from './linux/elf.ts'
import { inspectDeb, inspectElf, inspectRpm, isAr } from './linux/packages.ts'
import { isRpm } from './linux/rpm.ts'
import { fileSource, readUpTo, type Source } from './source.ts'
import { isCompoundFile } from './windows/compound-file.ts'
import { inspectMsi } from './windows/msi.ts'
import { inspectWindows } from './windows/program.ts'

/** Bytes of the trailer of a disk image, which begins with `koly`. */
const DMG_TRAILER = 512

/** Returns what a file says of itself and its app, read within limits. Throws only what `read` throws; the rest is in notes. */
export async function inspectFile(
  file: InspectedFile,
  limits: InspectLimits = INSPECT_LIMITS,
): Promise<FileFacts> {
  const budget = new Budget(limits, file.isNear === true)
  const findings = new Findings(budget)
  try {
    const source = fileSource(file, budget)
    await findings.attempt('file', () => inspect(source, findings))
  } catch (error) {
    throw error instanceof ReadFailure ? error.cause : error
  }
  return findings.facts()
}

async function inspect(source: Source, findings: Findings): Promise<void> {
  const { budget } = findings
  const start = await readUpTo(source, 0, 64)
  const text = start.toString('latin1')
  if (text.startsWith('MZ')) return inspectWindows(source, findings)
  if (isElf(start)) return inspectElf(source, findings)
  if (isAr(start)) return inspectDeb(source, findings)
  if (isRpm(start)) return inspectRpm(source, findings)
  if (isMachO(start)) return inspectMachO(source, findings)
  if (isAsar(start)) {
    findings.kind = 'asar'
    return findings.attempt('version', () => readAsar(source, findings))
  }
  if (text.startsWith('PK')) {
    findings.kind = 'zip'
    return readContents(zipEntries(source, budget), findings)
  }
  if (text.startsWith('\x1f\x8b')) {
    findings.kind = 'tar_gz'
    return readContents(tarEntries(decompressed(source, 'gzip', budget), budget), findings)
  }
  if (isCompoundFile(start)) return inspectMsi(source, findings)
  const end = await readUpTo(source, Math.max(0, source.size - DMG_TRAILER), 4)
  if (end.toString('latin1') !== 'koly') throw notRead('unknown')
  findings.kind = 'dmg'
  throw notRead('dmg')
}

function readContents(entries: AsyncIterable<Entry>, findings: Findings): Promise<void> {
  return findings.attempt('contents', () => inspectContents(entries, findings))
}

async function inspectMachO(source: Source, findings: Findings): Promise<void> {
  findings.kind = 'macho'
  const { arches, team = null } = await readAppleProgram(source, findings)
  for (const arch of arches) findings.addArch(arch)
  findings.setPublisher({ appleTeam: team })
}
