import { inspectContents } from '../app/contents.ts'
import { findTauri } from '../app/tauri.ts'
import { compressionOf, decompressed } from '../archives/decompress.ts'
import { type Entry, plainPath } from '../archives/entry.ts'
import { PieceReader } from '../archives/piece-reader.ts'
import { tarEntries } from '../archives/tar.ts'
import { type Budget, damaged, notRead } from '../budget.ts'
import type { Findings } from '../findings.ts'
import { partOf, readAll, readUpTo, type Source, streamedSource } from '../source.ts'
import { readElf } from './elf.ts'
import { readRpm } from './rpm.ts'
import { squashfsEntries } from './squashfs.ts'

const HEADER = 110
const MAX_NAME = 65_536
const LAST = 'TRAILER!!!'

/** Lists the files of a cpio archive of the new ASCII format, which rpm has inside, in order. */
async function* cpioEntries(
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

const MAX_CONTROL = 1_024 * 1_024

/** Reads a program of Linux, or an AppImage: the program that mounts it, and a file system behind it. */
export async function inspectElf(source: Source, findings: Findings): Promise<void> {
  findings.kind = 'elf'
  const elf = await readElf(source)
  if (elf.arch !== undefined) findings.setArch(elf.arch)
  if (!elf.isAppImage) return findTauri(elf, findings)
  findings.kind = 'appimage'
  await findings.attempt('contents', async () => {
    const behind = partOf(source, elf.end, source.size - elf.end)
    await inspectContents(squashfsEntries(behind, findings.budget), findings)
  })
}

/** Reads a package of Debian: what it says of itself, and the app inside. */
export async function inspectDeb(source: Source, findings: Findings): Promise<void> {
  findings.kind = 'unknown'
  for await (const { path, open } of arEntries(source, findings.budget)) {
    if (path === 'debian-binary') findings.kind = 'deb'
    if (path.startsWith('control.tar')) {
      await findings.attempt('version', async () => readControl(await open(), findings))
    }
    if (path.startsWith('data.tar')) {
      await findings.attempt('contents', async () => {
        await inspectContents(await tarIn(await open(), findings), findings)
      })
    }
  }
}

async function readControl(source: Source, findings: Findings): Promise<void> {
  for await (const { path, open } of await tarIn(source, findings)) {
    if (path !== 'control') continue
    const text = (await readAll(await open(), MAX_CONTROL)).toString('utf8')
    findings.addVersion('deb_control', controlField(text, 'version'))
    sayPackage(controlField(text, 'package'), controlField(text, 'architecture'), findings)
    return
  }
}

async function tarIn(source: Source, findings: Findings) {
  const start = await readUpTo(source, 0, 512)
  const isTar = start.toString('latin1', 257, 262) === 'ustar'
  const compression = isTar ? 'none' : compressionOf(start)
  if (compression === undefined) throw notRead('tar_compression')
  return tarEntries(decompressed(source, compression, findings.budget), findings.budget)
}

/** Reads an rpm: what it says of itself, and the app inside. */
export async function inspectRpm(source: Source, findings: Findings): Promise<void> {
  findings.kind = 'rpm'
  const rpm = await readRpm(source, findings.budget)
  findings.addVersion('rpm_header', rpm.version)
  sayPackage(rpm.name, rpm.arch, findings)
  await findings.attempt('contents', async () => {
    const payload = partOf(source, rpm.payload, source.size - rpm.payload)
    const compression = compressionOf(await readUpTo(payload, 0, 6))
    if (compression === undefined) throw notRead(`rpm_${rpm.compression ?? 'payload'}`)
    const pieces = decompressed(payload, compression, findings.budget)
    await inspectContents(cpioEntries(pieces, findings.budget), findings)
  })
}

/** Packages for every architecture name none, each in a way of its own. */
function sayPackage(name: string | undefined, arch: string | undefined, findings: Findings): void {
  if (name !== undefined) findings.say({ appId: name })
  if (arch !== undefined) findings.setArch(arch === 'all' || arch === 'noarch' ? 'any' : arch)
}

const MAGIC = '!<arch>\n'
const DEB_HEADER = 60

/** Returns whether bytes are the start of an `ar` archive. */
export function isAr(start: Buffer): boolean {
  return start.toString('latin1', 0, 8) === MAGIC
}

/** Lists the members of an `ar` archive, such as a package of Debian (deb(5)). */
async function* arEntries(source: Source, budget: Budget): AsyncGenerator<Entry, void> {
  for (let at = MAGIC.length; at + DEB_HEADER <= source.size; ) {
    budget.spend('entries', 1)
    const header = (await source.read(at, DEB_HEADER)).toString('latin1')
    const size = Number(header.slice(48, 58))
    if (!header.endsWith('`\n') || !Number.isSafeInteger(size) || size < 0) throw damaged()
    const start = at + DEB_HEADER
    yield {
      path: header.slice(0, 16).trim().replace(/\/$/, ''),
      size,
      open: async () => partOf(source, start, size),
    }
    at = start + size + (size % 2)
  }
}

function controlField(text: string, name: string): string | undefined {
  const line = text.split('\n').find((each) => each.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}
