import { inspectContents } from '../app/contents.ts'
import { findTauri } from '../app/tauri.ts'
import { isSevenZip, sevenZipEntries } from '../archives/seven-zip/seven-zip.ts'
import { zipEntries } from '../archives/zip.ts'
import { notRead } from '../budget.ts'
import type { Findings } from '../findings.ts'
import { partOf, readUpTo, type Source } from '../source.ts'
import { readAuthenticode } from './authenticode.ts'
import { findNsis, nsisEntries } from './nsis.ts'
import { type Pe, readPe } from './pe.ts'
import { findResource } from './resources.ts'
import { readVersionInfo } from './version-info.ts'

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
