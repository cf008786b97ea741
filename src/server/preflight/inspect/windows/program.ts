import { inspectContents } from '../app/contents.ts'
import { findTauri } from '../app/tauri.ts'
import { compressionOf, counted } from '../archives/decompress.ts'
import type { Entry } from '../archives/entry.ts'
import { lzma1 } from '../archives/lzma/lzma-alone.ts'
import { PieceReader } from '../archives/piece-reader.ts'
import { isSevenZip, sevenZipEntries } from '../archives/seven-zip/seven-zip.ts'
import { zipEntries } from '../archives/zip.ts'
import { type Budget, notRead } from '../budget.ts'
import type { Findings } from '../findings.ts'
import { partOf, piecesOf, readUpTo, type Source, streamedSource } from '../source.ts'
import { readAuthenticode } from './authenticode.ts'
import { type Pe, readPe } from './pe.ts'
import { findResource } from './resources.ts'
import { readVersionInfo } from './version-info.ts'

const SIGNATURE = Buffer.from('efbeadde4e756c6c736f6674496e7374', 'hex')
const ALIGNMENT = 512
const FIRST_HEADER = 28
const PACKED = 0x8000_0000
/** No header is shorter: a smaller number is the start of data that is compressed as one. */
const MIN_HEADER = 256

/** Returns what an installer of NSIS has behind its program; undefined if it is none. */
async function findNsis(pe: Pe): Promise<Source | undefined> {
  const start = Math.ceil(pe.overlay / ALIGNMENT) * ALIGNMENT
  for (const at of new Set([pe.overlay, start])) {
    const header = await readUpTo(pe.source, at, FIRST_HEADER)
    if (header.length === FIRST_HEADER && header.subarray(4, 20).equals(SIGNATURE)) {
      return partOf(pe.source, at + FIRST_HEADER, header.readUInt32LE(24) - FIRST_HEADER)
    }
  }
  return undefined
}

/**
 * Lists the files of an installer, in order and without their names. `isSkipped` is called once if some are not read because
 * each is compressed, as the parts of NSIS itself are beside the archive of electron-builder. Throws `Unread`.
 */
async function* nsisEntries(
  data: Source,
  budget: Budget,
  isSkipped: () => void,
): AsyncGenerator<Entry, void> {
  const start = await data.read(0, 8)
  const header = start.readUInt32LE()
  const size = header % PACKED
  if (size < MIN_HEADER || size > data.size) {
    if (compressionOf(start) !== 'lzma') throw notRead('nsis_solid')
    return yield* solidEntries(data, budget)
  }
  // A checksum of 4 bytes may follow the last one.
  let at = 4 + size
  for (let index = 0; at + 4 < data.size; index += 1) {
    budget.spend('entries', 1)
    const length = (await data.read(at, 4)).readUInt32LE()
    const place = at + 4
    if (length >= PACKED) isSkipped()
    else yield entryOf(index, length, async () => partOf(data, place, length))
    at += 4 + (length % PACKED)
  }
}

/** All in one stream of LZMA: the header and the files, each behind its length. */
async function* solidEntries(data: Source, budget: Budget): AsyncGenerator<Entry, void> {
  const reader = new PieceReader(counted(lzma1InNsis(data), budget))
  for (let index = 0; ; index += 1) {
    budget.spend('entries', 1)
    const length = (await reader.take(4))?.readUInt32LE()
    if (length === undefined) return
    const end = reader.position + length
    if (index > 0)
      yield entryOf(index, length, async () => streamedSource(reader.until(end), length))
    await reader.skipTo(end)
  }
}

async function* lzma1InNsis(data: Source) {
  yield* lzma1(new PieceReader(piecesOf(data, 5)), await data.read(0, 5), Number.POSITIVE_INFINITY)
}

/** The names are in the script of the installer. */
function entryOf(index: number, size: number, open: Entry['open']): Entry {
  return { path: `${index}.exe`, size, open }
}

/** The resource that Squirrel.Windows writes its package into. */
const SQUIRREL = { type: 'DATA', name: 131 } as const

/** Reads a program of Windows: an app, or an installer with the app inside. */
export async function inspectWindows(source: Source, findings: Findings): Promise<void> {
  findings.kind = 'pe'
  await findings.attempt('file', async () => {
    const pe = await readPe(source)
    const signature = await findings.attempt('signature', async () => {
      const read = await readAuthenticode(pe)
      findings.setPublisher({ authenticode: read?.signer ?? null })
      return read
    })
    await findings.attempt('version', async () => {
      const info = await readVersionInfo(pe, findings.budget)
      findings.addVersion('product_version', info?.product)
      findings.addVersion('fixed_version', info?.fixed)
    })
    await findings.attempt('contents', () => inspectInside(pe, findings))
    if (!signature || !findings.budget.isNear) return
    // At last: it takes as much as the file has bytes.
    await findings.attempt('signature', async () => {
      const isIntact = await signature.verify()
      if (isIntact !== undefined) findings.setPublisher({ isIntact })
    })
  })
}

async function inspectInside(pe: Pe, findings: Findings): Promise<void> {
  const { budget } = findings
  const nsis = await findNsis(pe)
  if (nsis !== undefined) {
    findings.kind = 'nsis'
    return inspectNsis(nsis, findings)
  }
  const squirrel = await findResource(pe, SQUIRREL.type, SQUIRREL.name, budget)
  if (squirrel !== undefined) {
    findings.kind = 'squirrel'
    return inspectContents(zipEntries(squirrel, budget), findings)
  }
  const end = pe.certificates?.offset ?? pe.source.size
  const behind = partOf(pe.source, Math.min(pe.overlay, end), Math.max(0, end - pe.overlay))
  if ((await readUpTo(behind, 0, 4)).toString('latin1') === 'PK\x03\x04') {
    findings.kind = 'vpk'
    return inspectContents(zipEntries(behind, budget), findings, 1)
  }
  if (pe.arch !== undefined) findings.addArch(pe.arch)
  await findTauri(pe, findings)
}

/** Reads the archives of electron-builder, one for each architecture, or else the programs that are installed. */
async function inspectNsis(data: Source, findings: Findings): Promise<void> {
  let isSkipped = false
  let isArchive = false
  const entries = nsisEntries(data, findings.budget, () => {
    isSkipped = true
  })

  async function* otherEntries() {
    for await (const entry of entries) {
      const source = await entry.open()
      if (isSevenZip(await readUpTo(source, 0, 6))) {
        isArchive = true
        await findings.attempt('contents', () => {
          return inspectContents(sevenZipEntries(source, findings.budget), findings, 1)
        })
      } else if (!isArchive) yield { ...entry, open: async () => source }
    }
  }

  await inspectContents(otherEntries(), findings)
  if (isSkipped && !isArchive) throw notRead('nsis_compressed')
}
