import type { SignedDocument } from '../files/signed-document.ts'
import { completeAddress, isAbsolute } from './address.ts'
import { type ArtifactDraft, newArtifact } from './artifact.ts'
import { type Disagreement, disagreementWith, type NamedManifest } from './disagreement.ts'
import { isAppcast, readAppcast } from './documents/appcast.ts'
import { isBuilderManifest, readBuilderManifest } from './documents/builder-manifest.ts'
import { documentOf, documentRemarks } from './documents/document.ts'
import {
  isPackageList,
  latestPackages,
  readPackages,
  signatureOfPackage,
  targetOfList,
} from './documents/package-list.ts'
import { readTauriManifest } from './documents/tauri-manifest.ts'
import { versionInName } from './file-name.ts'
import { guessArch, guessTarget } from './guess.ts'
import {
  type ImportedRelease,
  type ImportRemark,
  type ImportResult,
  missingRemarks,
} from './imported.ts'
import { mergeArtifact } from './merge.ts'
import { rowForFile, withSignatures } from './rows.ts'

/**
 * Reads the packages of the highest version in a `RELEASES` file of Squirrel.Windows or a feed of Velopack, each with its line
 * as its signature. The lists hold no SHA-512. The platform is that of the feed's name, else Windows; packages name no
 * architecture, so x64 is assumed. Addresses follow `base`, and stay empty without it.
 */
function readPackageManifest(fileName: string, text: string, base: string): ImportResult {
  const packages = readPackages(fileName, text)
  if (packages === undefined) return { ok: false, fault: 'not_packages' }
  const { platform, arch: archOfList } = targetOfList(fileName)
  const latest = latestPackages(packages)
  const [{ version, notes, percentage } = { version: '', notes: '', percentage: 100 }] = latest
  const artifacts = latest.map((listed) => {
    const { name, address, size } = listed
    const arch = guessArch(name, platform) || archOfList
    // A file elsewhere has its own address, with a query if it needs one.
    const relative = isAbsolute(address) ? '' : encodeURIComponent(name)
    return newArtifact({
      ...{ platform, arch: arch || 'x86_64', kind: guessTarget(name).kind },
      ...{ url: completeAddress(base, relative || address), relative, size: String(size) },
      signature: signatureOfPackage(packages, listed),
      listed: {
        ...{ format: 'packages', manifest: fileName, version, entry: name, sha512: '' },
        assumedArch: arch === '' ? 'x86_64' : '',
      },
    })
  })
  const stagingPercentage = percentage < 100 ? percentage : null
  return { ok: true, release: { version, notes, stagingPercentage, artifacts, remarks: [] } }
}

/** What a form has of earlier drops. */
export interface DropTarget {
  readonly artifacts: readonly ArtifactDraft[]
  /** Signatures whose files are not there yet, by the name of the file. */
  readonly signatures: ReadonlyMap<string, string>
  readonly base: string
}

/** What dropped files make of a release. */
export interface Dropped extends Pick<DropTarget, 'artifacts' | 'signatures'> {
  /** Version and notes of the first manifest that has them, or the version in the name of a built file; else empty. */
  readonly version: string
  readonly notes: string
  /** The manifests that their publisher signed. */
  readonly documents: readonly SignedDocument[]
  /** Files whose SHA-512 is to be computed, with the rows that they belong to. */
  readonly hashing: readonly { readonly id: string; readonly file: File }[]
  readonly remarks: readonly ImportRemark[]
}

/** Bytes that manifests and signatures never exceed. */
const MAX_TEXT = 2 * 1024 * 1024

/**
 * Reads files that were dropped or chosen into the rows that there are: manifests, then built files, then the
 * signatures beside them. The same files in several drops make the same rows, in whichever order they come.
 */
export async function readDropped(files: readonly File[], target: DropTarget): Promise<Dropped> {
  const kinds = Object.groupBy(files, kindOf)
  const remarks: ImportRemark[] = []
  const earlier = new Set(target.artifacts.map(({ id }) => id))
  let rows = target.artifacts
  const add = (row: ArtifactDraft) => {
    const merged = mergeArtifact(rows, row, earlier)
    rows = merged.rows
    if (merged.replaced === undefined) return
    const by = row.file?.name ?? row.listed?.entry ?? ''
    remarks.push({ code: 'replaced', file: merged.replaced, by })
  }
  const read: NamedManifest[] = []
  const documents: SignedDocument[] = []
  let version = ''
  let notes = ''
  for (const file of kinds.manifest ?? []) {
    const result = readManifest(file.name, await file.text(), target.base)
    if (!result.ok) {
      remarks.push({ code: 'unreadable', file: file.name, fault: result.fault })
      continue
    }
    const document = documentOf(file.name, new Uint8Array(await file.arrayBuffer()))
    if (document !== undefined) documents.push(document)
    remarks.push(...documentRemarks(file.name, document))
    const { artifacts, disagreement } = withoutDisagreeing(read, file.name, result.release)
    if (disagreement !== undefined) remarks.push({ code: 'manifests_disagree', ...disagreement })
    read.push({ name: file.name, artifacts })
    for (const row of artifacts) add(row)
    const listed = rows.filter((row) => row.listed?.manifest === file.name)
    const { stagingPercentage: percentage } = result.release
    if (percentage !== null && percentage < 100) {
      const code = document === undefined ? 'staged' : 'signed_staged'
      remarks.push({ code, manifest: file.name, percentage })
    }
    remarks.push(...result.release.remarks, ...missingRemarks(file.name, listed))
    version ||= result.release.version
    notes ||= result.release.notes
  }
  for (const file of kinds.build ?? []) {
    version ||= versionInName(file.name)
    add(rowForFile(file, target.base))
  }
  const signatures = new Map(target.signatures)
  for (const file of kinds.signature ?? []) {
    signatures.set(file.name.replace(/\.sig$/i, ''), (await file.text()).trim())
  }
  const { artifacts, waiting } = withSignatures(rows, signatures)
  for (const { name } of kinds.ignored ?? []) remarks.push({ code: 'not_downloaded', file: name })
  for (const file of waiting.keys()) remarks.push({ code: 'signature_waits', file })
  const hashing = (kinds.build ?? []).flatMap((file) => {
    const row = artifacts.find((each) => each.file?.name === file.name && each.sha512 === '')
    return row === undefined ? [] : [{ id: row.id, file }]
  })
  return { version, notes, documents, artifacts, signatures: waiting, hashing, remarks }
}

/** The artifacts of a manifest without those that an earlier one of the same drop describes as other files. */
function withoutDisagreeing(
  earlier: readonly NamedManifest[],
  name: string,
  { artifacts }: ImportedRelease,
): { readonly artifacts: readonly ArtifactDraft[]; readonly disagreement?: Disagreement } {
  const found = (row: ArtifactDraft) => disagreementWith(earlier, { name, artifacts: [row] })
  const disagreement = artifacts.map(found).find((each) => each !== undefined)
  if (disagreement === undefined) return { artifacts }
  return { artifacts: artifacts.filter((row) => found(row) === undefined), disagreement }
}

type Kind = 'manifest' | 'signature' | 'build' | 'ignored'

function kindOf({ name, size }: File): Kind {
  if (/\.blockmap$/i.test(name)) return 'ignored'
  if (size > MAX_TEXT) return 'build'
  if (/\.sig$/i.test(name)) return 'signature'
  const isOther = isBuilderManifest(name) || isAppcast(name) || /\.json$/i.test(name)
  return isPackageList(name) || isOther ? 'manifest' : 'build'
}

/** Reads a manifest by its name. */
export function readManifest(name: string, text: string, base: string): ImportResult {
  if (isPackageList(name)) return readPackageManifest(name, text, base)
  if (isAppcast(name)) return readAppcast(name, text, base)
  return isBuilderManifest(name)
    ? readBuilderManifest(name, text, base)
    : readTauriManifest(name, text)
}
