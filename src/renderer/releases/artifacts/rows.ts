import { completeAddress, fileNameOf } from './address.ts'
import { type ArtifactDraft, newArtifact } from './draft.ts'
import { guessInWords, guessTarget } from './guess.ts'

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

/** The row of a file: the one whose address ends with its name. */
export function rowOfFile(
  drafts: readonly ArtifactDraft[],
  fileName: string,
): ArtifactDraft | undefined {
  return drafts.find(
    ({ url, relative }) => fileNameOf(url) === fileName || fileNameOf(relative) === fileName,
  )
}

/** A new row for a built file, with what its name tells. Its SHA-512 is still to be computed. */
export function rowForFile(file: Pick<File, 'name' | 'size'>, base: string): ArtifactDraft {
  const guess = guessTarget(file.name)
  const relative = encodeURIComponent(file.name)
  return newArtifact({
    ...guess,
    relative,
    url: completeAddress(base, relative),
    size: String(file.size),
    origin: guessInWords(file.name, guess),
  })
}

/** Gives signatures, by the name of the signed file, to the rows of those files. */
export function withSignatures(
  drafts: readonly ArtifactDraft[],
  signatures: ReadonlyMap<string, string>,
): { artifacts: ArtifactDraft[]; remarks: string[] } {
  const byRow = new Map<string, string>()
  const remarks: string[] = []
  for (const [fileName, signature] of signatures) {
    const row = rowOfFile(drafts, fileName)
    if (row !== undefined) byRow.set(row.id, signature)
    else remarks.push(`${fileName}.sig is left out: there is no artifact ${fileName}.`)
  }
  const artifacts = drafts.map((draft) => {
    const signature = byRow.get(draft.id)
    return signature === undefined ? draft : { ...draft, signature }
  })
  return { artifacts, remarks }
}

/**
 * Brings into rows what became of `before` meanwhile: rows that changed or were added. Rows that
 * were edited or removed in the same time stay so.
 */
export function mergeRows(
  rows: readonly ArtifactDraft[],
  before: readonly ArtifactDraft[],
  after: readonly ArtifactDraft[],
): ArtifactDraft[] {
  const old = new Map(before.map((row) => [row.id, row]))
  const fresh = new Map(after.map((row) => [row.id, row]))
  const kept = rows.map((row) => {
    const next = fresh.get(row.id)
    return next === undefined || next === old.get(row.id) ? row : next
  })
  return [...kept, ...after.filter(({ id }) => !old.has(id))]
}
