import { artifactKey } from '../devices/aliases.ts'
import { isAbsolute } from './address.ts'
import type { ArtifactDraft } from './artifact.ts'
import { kindOfFile } from './file-name.ts'
import { guessTarget } from './guess.ts'
import { fileNameOfRow } from './rows.ts'

/** The rows after an artifact was added, and what it replaced. */
export interface Merged {
  readonly rows: readonly ArtifactDraft[]
  /** The name of the file whose row went. */
  readonly replaced?: string
}

/**
 * Adds an artifact that was read from a manifest or a built file. It completes the rows of the same file, in
 * whichever order the two came. It replaces a row for the same platform, arch and kind of file if that row is
 * of an earlier drop (`earlier`) and was not typed: that is how files of another build take the place of old
 * ones. Otherwise it is a row of its own.
 */
export function mergeArtifact(
  rows: readonly ArtifactDraft[],
  added: ArtifactDraft,
  earlier: ReadonlySet<string>,
): Merged {
  const name = fileNameOfRow(added)
  const isOfFile = (row: ArtifactDraft) => name !== '' && fileNameOfRow(row) === name
  const fits = (row: ArtifactDraft) => isOfFile(row) && canServe(row, added)
  if (added.file === null) {
    const known = rows.find(fits)
    if (known !== undefined) return { rows: replace(rows, known, describe(known, added)) }
  } else if (rows.some(fits)) {
    // A universal build serves several entries of a manifest.
    return { rows: rows.map((row) => (fits(row) ? build(row, added) : row)) }
  }
  const twin = rows.find((row) => isOfFile(row) && row.file !== null)
  const complete = twin === undefined ? added : withFileOf(added, twin)
  const outdated = rows.find(
    (row) =>
      earlier.has(row.id) && !isTyped(row) && !isOfFile(row) && targetOf(row) === targetOf(added),
  )
  if (outdated === undefined || targetOf(added) === '') return { rows: [...rows, complete] }
  return { rows: replace(rows, outdated, complete), replaced: fileNameOfRow(outdated) }
}

function replace(
  rows: readonly ArtifactDraft[],
  old: ArtifactDraft,
  row: ArtifactDraft,
): ArtifactDraft[] {
  return rows.map((each) => (each === old ? row : each))
}

/** Platform, arch and kind of file as one text; empty while any of them is unknown. */
function targetOf(row: ArtifactDraft): string {
  const [platform, arch, kind] = [
    row.platform.trim(),
    row.arch.trim(),
    kindOfFile(fileNameOfRow(row)),
  ]
  return platform === '' || arch === '' || kind === ''
    ? ''
    : `${artifactKey(platform, arch, '')} ${kind}`
}

function isTyped({ listed, file }: ArtifactDraft): boolean {
  return listed === null && file === null
}

/**
 * Two rows of one file can serve different devices: a manifest lists a universal build once for each, and a bundle
 * once more for devices that do not name theirs.
 */
function canServe(row: ArtifactDraft, added: ArtifactDraft): boolean {
  const [one, other] = [settled(row), settled(added)]
  const [platform, arch] = [one.platform || other.platform, one.arch || other.arch]
  if (row.listed !== null && added.listed !== null && row.kind !== added.kind) return false
  return (
    artifactKey(platform, arch, '') ===
    artifactKey(other.platform || platform, other.arch || arch, '')
  )
}

/** Platform, arch and kind without what was only detected from a file name. */
function settled(row: ArtifactDraft): { platform: string; arch: string; kind: string } {
  const { platform, arch, kind, listed, file } = row
  if (file === null || listed !== null) {
    return { platform: platform.trim(), arch: arch.trim(), kind: kind.trim() }
  }
  const guess = guessTarget(file.name)
  return {
    platform: platform === guess.platform ? '' : platform.trim(),
    arch: arch === guess.arch ? '' : arch.trim(),
    kind: kind === guess.kind ? '' : kind.trim(),
  }
}

/** A row with what a manifest says about it. What was typed, and what the built file says, stays. */
function describe(row: ArtifactDraft, added: ArtifactDraft): ArtifactDraft {
  const { platform, arch, kind } = settled(row)
  if (row.listed !== null && row.file === null) {
    return { ...added, id: row.id, signature: added.signature || row.signature }
  }
  const follows = row.relative !== '' || row.url === ''
  const isFull = isAbsolute(added.url) && added.relative === ''
  return {
    ...row,
    ...{ listed: added.listed, details: added.details },
    platform: platform || added.platform,
    arch: arch || added.arch,
    kind: kind || added.kind,
    url: follows && added.url !== '' ? added.url : row.url,
    relative: follows && isFull ? '' : row.relative || added.relative,
    size: row.file === null ? row.size || added.size : row.size,
    sha512: row.file === null ? row.sha512 || added.sha512 : row.sha512,
    signature: row.signature || added.signature,
  }
}

/** A row with the built file that it is about. */
function build(row: ArtifactDraft, added: ArtifactDraft): ArtifactDraft {
  const { file, size, sha512 } = added
  const target = { platform: row.platform || added.platform, arch: row.arch || added.arch }
  // A manifest that names no kind means none.
  const kind = row.listed === null ? row.kind || added.kind : row.kind
  return { ...row, ...target, kind, file, size, sha512 }
}

/** A row of a manifest with what is known about its file from a row for other devices. */
function withFileOf(row: ArtifactDraft, twin: ArtifactDraft): ArtifactDraft {
  const { file, size, sha512 } = twin
  const signature = twin.signature || row.signature
  const address = row.url === '' ? { url: twin.url, relative: twin.relative } : {}
  return { ...row, ...address, file, size, sha512, signature }
}
