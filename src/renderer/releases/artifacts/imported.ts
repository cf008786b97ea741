import { type ArtifactDraft, missingFields } from './draft.ts'

/** What a manifest of another updater says about a release. Empty texts are not in it. */
export interface ImportedRelease {
  readonly version: string
  readonly notes: string
  readonly artifacts: readonly ArtifactDraft[]
  /** Sentences about what was left out or is still missing. */
  readonly remarks: readonly string[]
}

/** Either what was read, or the sentence that says why nothing was. */
export type ImportResult =
  | { readonly ok: true; readonly release: ImportedRelease }
  | { readonly ok: false; readonly reason: string }

/** An artifact that competes with others for its platform and arch; the lowest `rank` is kept. */
export interface Candidate {
  readonly name: string
  readonly draft: ArtifactDraft
  readonly rank: number
}

/** Keeps one candidate for each platform and arch, in the order given, and says what it left out. */
export function keepOnePerTarget(candidates: readonly Candidate[]): {
  artifacts: ArtifactDraft[]
  remarks: string[]
} {
  const kept = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const known = kept.get(targetOf(candidate))
    if (known === undefined || candidate.rank < known.rank) {
      kept.set(targetOf(candidate), candidate)
    }
  }
  const artifacts: ArtifactDraft[] = []
  const remarks: string[] = []
  for (const candidate of candidates) {
    const winner = kept.get(targetOf(candidate))
    if (winner === candidate) artifacts.push(candidate.draft)
    else {
      const { platform, arch } = candidate.draft
      remarks.push(`${candidate.name} is left out: ${winner?.name} serves ${platform} ${arch}.`)
    }
  }
  return { artifacts, remarks }
}

/** Says which required fields the imported artifacts lack; nothing where they lack none. */
export function missingRemarks(artifacts: readonly ArtifactDraft[]): string[] {
  const byField = new Map<string, number>()
  for (const field of artifacts.flatMap(missingFields)) {
    byField.set(field, (byField.get(field) ?? 0) + 1)
  }
  return [...byField].map(([field, count]) => {
    const where = count === artifacts.length ? 'every artifact' : `${count} of ${artifacts.length}`
    return `The ${field} is missing in ${where}.`
  })
}

function targetOf({ draft }: Candidate): string {
  return `${draft.platform} ${draft.arch}`
}
