import type { Coded } from '../coded.ts'
import { type ArtifactDraft, missingFields, type RequiredField } from './artifact.ts'

import type { Disagreement } from './disagreement.ts'

/** Why a file is no manifest. */
export type ManifestFault =
  | 'not_json'
  | 'not_tauri'
  | 'not_electron_builder'
  | 'not_appcast'
  | 'not_packages'

/** Something to know about an import: what it left out, what it replaced, what is still missing. */
export type ImportRemark = Coded<{
  unreadable: { file: string; fault: ManifestFault }
  /** A file that devices never download. */
  not_downloaded: { file: string }
  /** Members that mean nothing here, so they are left out. */
  not_kept: { manifest: string; members: readonly string[] }
  unknown_platform: { manifest: string; entry: string }
  /** Another entry of the manifest serves the same devices. */
  target_taken: { manifest: string; entry: string; by: string; target: string }
  /** JSON keeps the last of members with one name. */
  named_twice: { manifest: string; entry: string }
  missing: { manifest: string; field: RequiredField; count: number; total: number }
  /** Members that are kept with the release, and not part of what devices are answered. */
  not_served: { manifest: string; entry: string; members: readonly string[] }
  /** The percentage that a manifest limits the release to: the rollout decides. */
  staged: { manifest: string; percentage: number }
  /** The same of a signed manifest: the updater decides as well. */
  signed_staged: { manifest: string; percentage: number }
  /** A manifest that is kept and served as it is. */
  signed: { manifest: string }
  /** A list of packages that is too large to be kept: the server writes one of its own. */
  list_too_large: { manifest: string }
  /** electron-updater compares three numbers, and offers the release to every device for anything else. */
  floor_ignored: { manifest: string; floor: string }
  /** A member that no updater can read in this form; it was left out. */
  member_unreadable: { manifest: string; entry: string; member: string }
  /** Two manifests name one file with different checksums; that of the second was left out. */
  manifests_disagree: Disagreement
  /** An earlier file for the same devices went out of the form. */
  replaced: { file: string; by: string }
  /** A signature whose file is not there yet. */
  signature_waits: { file: string }
}>

/** What a manifest of another updater says about a release. Empty texts are not in it. */
export interface ImportedRelease {
  readonly version: string
  readonly notes: string
  /** The percentage of devices that the manifest itself limits the release to, as it is written; null for none. */
  readonly stagingPercentage: number | null
  readonly artifacts: readonly ArtifactDraft[]
  readonly remarks: readonly ImportRemark[]
}

/** Either what was read, or why nothing was. */
export type ImportResult =
  | { readonly ok: true; readonly release: ImportedRelease }
  | { readonly ok: false; readonly fault: ManifestFault }

/** An artifact that competes with others for its platform, arch and kind; the lowest `rank` is kept. */
export interface Candidate {
  readonly name: string
  readonly draft: ArtifactDraft
  readonly rank: number
}

/** Keeps one candidate for each platform, arch and kind, in the order given, and says what it left out. */
export function keepOnePerTarget(
  manifest: string,
  candidates: readonly Candidate[],
): { artifacts: ArtifactDraft[]; remarks: ImportRemark[] } {
  const kept = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const known = kept.get(targetOf(candidate))
    if (known === undefined || candidate.rank < known.rank) {
      kept.set(targetOf(candidate), candidate)
    }
  }
  const artifacts: ArtifactDraft[] = []
  const remarks: ImportRemark[] = []
  for (const candidate of candidates) {
    const target = targetOf(candidate)
    const winner = kept.get(target)
    if (winner === undefined) continue
    if (winner === candidate) artifacts.push(candidate.draft)
    else {
      const entry = candidate.name
      remarks.push({ code: 'target_taken', manifest, entry, by: winner.name, target })
    }
  }
  return { artifacts, remarks }
}

/** Returns which required fields the artifacts of a manifest lack, and how many of them. */
export function missingRemarks(
  manifest: string,
  artifacts: readonly ArtifactDraft[],
): ImportRemark[] {
  const counts = new Map<RequiredField, number>()
  for (const field of artifacts.flatMap(missingFields)) {
    counts.set(field, (counts.get(field) ?? 0) + 1)
  }
  const total = artifacts.length
  return [...counts].map(([field, count]) => ({ code: 'missing', manifest, field, count, total }))
}

/** Returns what is still to know about an import, with what its rows lack by now. */
export function currentRemarks(
  remarks: readonly ImportRemark[],
  artifacts: readonly ArtifactDraft[],
): ImportRemark[] {
  return remarks.flatMap((remark) => {
    if (remark.code !== 'missing') return [remark]
    const listed = artifacts.filter((row) => row.listed?.manifest === remark.manifest)
    return missingRemarks(remark.manifest, listed).filter(
      (now) => now.code === 'missing' && now.field === remark.field,
    )
  })
}

function targetOf({ draft }: Candidate): string {
  return [draft.platform, draft.arch, draft.kind].filter((part) => part !== '').join(' ')
}
