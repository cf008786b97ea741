import { completeAddress, fileNameOf } from './address.ts'
import { type ArtifactDraft, newArtifact } from './artifact.ts'
import { guessTarget } from './guess.ts'

/** Moves the addresses that follow the base address to a new one; those that were edited stay. */
export function withBase(
  drafts: readonly ArtifactDraft[],
  before: string,
  after: string,
): ArtifactDraft[] {
  return drafts.map((draft) => {
    const follows = draft.relative !== '' && draft.url === completeAddress(before, draft.relative)
    return follows ? { ...draft, url: completeAddress(after, draft.relative) } : draft
  })
}

/** Returns the name of a row's file; empty if it has no address yet. */
export function fileNameOfRow({ file, url, relative }: ArtifactDraft): string {
  return file?.name ?? (fileNameOf(url) || fileNameOf(relative))
}

/** Returns a new row for a built file, with what its name says. Its SHA-512 is still to be computed. */
export function rowForFile(
  { name, size }: Pick<File, 'name' | 'size'>,
  base: string,
): ArtifactDraft {
  const relative = encodeURIComponent(name)
  return newArtifact({
    ...guessTarget(name),
    relative,
    url: completeAddress(base, relative),
    size: String(size),
    file: { name, size },
  })
}

/** Gives signatures, by the name of the signed file, to the rows of those files. */
export function withSignatures(
  drafts: readonly ArtifactDraft[],
  signatures: ReadonlyMap<string, string>,
): { artifacts: ArtifactDraft[]; waiting: Map<string, string> } {
  const waiting = new Map(signatures)
  const artifacts = drafts.map((draft) => {
    const name = fileNameOfRow(draft)
    const signature = signatures.get(name)
    if (signature === undefined) return draft
    waiting.delete(name)
    return draft.signature === signature ? draft : { ...draft, signature }
  })
  return { artifacts, waiting }
}

/**
 * Applies to rows what became of `before` meanwhile: rows that changed, were added or went. Rows that were
 * edited or removed in the same time stay so.
 */
export function mergeRows(
  rows: readonly ArtifactDraft[],
  before: readonly ArtifactDraft[],
  after: readonly ArtifactDraft[],
): ArtifactDraft[] {
  const old = new Map(before.map((row) => [row.id, row]))
  const fresh = new Map(after.map((row) => [row.id, row]))
  const kept = rows.flatMap((row) => {
    const next = fresh.get(row.id)
    if (next === undefined) return old.has(row.id) ? [] : [row]
    return [next === old.get(row.id) ? row : next]
  })
  return [...kept, ...after.filter(({ id }) => !old.has(id))]
}
