import { inspectContents } from '../app/contents.ts'
import { findTauri } from '../app/tauri.ts'
import { cpioEntries } from '../archives/cpio.ts'
import { compressionOf, decompressed } from '../archives/decompress.ts'
import { tarEntries } from '../archives/tar.ts'
import { notRead } from '../budget.ts'
import type { Findings } from '../findings.ts'
import { partOf, readAll, readUpTo, type Source } from '../source.ts'
import { arEntries, controlField } from './deb.ts'
import { readElf } from './elf.ts'
import { readRpm } from './rpm.ts'
import { squashfsEntries } from './squashfs.ts'

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
