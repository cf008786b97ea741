import { isBuilderManifest, readBuilderManifest } from './builder-manifest.ts'
import type { ArtifactDraft } from './draft.ts'
import { type ImportedRelease, missingRemarks } from './imported.ts'
import { rowForFile, rowOfFile, withSignatures } from './rows.ts'
import { readTauriManifest } from './tauri-manifest.ts'

/** What files that were dropped make of a release. */
export interface Dropped {
  /** Version and notes of the manifests; empty where they say none. */
  readonly version: string
  readonly notes: string
  /** All rows, those from before first. */
  readonly artifacts: readonly ArtifactDraft[]
  /** Files whose SHA-512 is to be computed, with the rows that they belong to. */
  readonly hashing: readonly { readonly id: string; readonly file: File }[]
  readonly remarks: readonly string[]
}

/** A manifest or a signature is text; what is larger is none. */
const MAX_TEXT = 2 * 1024 * 1024

/**
 * Reads files that were dropped or chosen: manifests first, so that built files find the rows that
 * they complete, then built files, then the signatures beside them.
 */
export async function readDropped(
  files: readonly File[],
  before: readonly ArtifactDraft[],
  base: string,
): Promise<Dropped> {
  const kinds = Object.groupBy(files, kindOf)
  const remarks: string[] = []
  const artifacts = [...before]
  let version = ''
  let notes = ''
  for (const file of kinds.manifest ?? []) {
    const result = readManifest(file.name, await file.text(), base)
    if (!result.ok) {
      remarks.push(`${file.name}: ${result.reason}`)
      continue
    }
    remarks.push(...remarksOf(file.name, result.release))
    artifacts.push(...result.release.artifacts)
    version = result.release.version || version
    notes = result.release.notes || notes
  }
  const hashing: { id: string; file: File }[] = []
  for (const file of kinds.build ?? []) {
    const known = rowOfFile(artifacts, file.name)
    const row = known ?? rowForFile(file, base)
    if (known === undefined) artifacts.push(row)
    else artifacts[artifacts.indexOf(known)] = { ...row, size: String(file.size), sha512: '' }
    hashing.push({ id: row.id, file })
  }
  const signatures = new Map<string, string>()
  for (const file of kinds.signature ?? []) {
    signatures.set(file.name.replace(/\.sig$/i, ''), (await file.text()).trim())
  }
  const signed = withSignatures(artifacts, signatures)
  for (const { name } of kinds.ignored ?? []) {
    remarks.push(`${name} is left out: devices do not download it.`)
  }
  return {
    version,
    notes,
    artifacts: signed.artifacts,
    hashing,
    remarks: [...remarks, ...signed.remarks],
  }
}

type Kind = 'manifest' | 'signature' | 'build' | 'ignored'

function kindOf({ name, size }: File): Kind {
  if (/\.blockmap$/i.test(name)) return 'ignored'
  if (size > MAX_TEXT) return 'build'
  if (/\.sig$/i.test(name)) return 'signature'
  return /\.json$/i.test(name) || isBuilderManifest(name) ? 'manifest' : 'build'
}

function readManifest(name: string, text: string, base: string) {
  return isBuilderManifest(name) ? readBuilderManifest(name, text, base) : readTauriManifest(text)
}

function remarksOf(name: string, { artifacts, remarks }: ImportedRelease): string[] {
  return [...remarks, ...missingRemarks(artifacts)].map((remark) => `${name}: ${remark}`)
}
