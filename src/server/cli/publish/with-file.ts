import { completeAddress } from '../../../shared/artifacts/address.ts'
import { type ArtifactDraft, newArtifact } from '../../../shared/artifacts/artifact.ts'
import { guessTarget } from '../../../shared/artifacts/guess.ts'
import { fileNameOfRow } from '../../../shared/artifacts/rows.ts'
import { RELEASES_LINE } from '../../../shared/artifacts/signature-form.ts'
import { artifactKey } from '../../../shared/devices/aliases.ts'
import { UsageError } from '../command/errors.ts'
import { text } from '../strings/publish.ts'
import type { BuiltFile } from './built-file.ts'
import type { FileOption } from './publish-options.ts'

/**
 * Returns the rows with a built file, in the rows that it completes or in one of its own. `base`: the address that it is
 * below. Throws `UsageError` for a row that has another file.
 */
export function withFile(
  rows: readonly ArtifactDraft[],
  option: FileOption,
  built: BuiltFile,
  base: string,
): ArtifactDraft[] {
  const { platform, arch } = option
  const same = new Set(rowsOf(rows, option, built.name))
  for (const row of same) {
    if (row.file !== null) throw new UsageError(text.twoFiles(row, row.file.name, built.name))
  }
  if (same.size > 0) {
    const named = same.size === 1 ? option : undefined
    return rows.map((row) => (same.has(row) ? withBuilt(withTarget(row, named), built) : row))
  }
  const kind = option.kind ?? guessTarget(built.name).kind
  const relative = encodeURIComponent(built.name)
  const url = completeAddress(base, relative)
  return [...rows, withBuilt(newArtifact({ platform, arch, kind, relative, url }), built)]
}

/** A row for the devices that the option names, where those of the row were guessed from names, as for electron-builder. */
function withTarget(row: ArtifactDraft, option: FileOption | undefined): ArtifactDraft {
  const { listed } = row
  if (option === undefined || listed === null) return row
  if (listed.format === 'tauri' && listed.assumedArch === '') return row
  const { platform, arch, kind = row.kind } = option
  const isSame = artifactKey(platform, arch, kind) === artifactKey(row.platform, row.arch, row.kind)
  const target = isSame ? {} : { platform, arch, kind }
  return { ...row, ...target, listed: { ...listed, assumedArch: '' } }
}

/**
 * The rows that a given file completes: those of its name, and the one for the same devices and kind. If no kind is
 * given, that is the kind of its name, or else the only row for those devices where either of the two has no kind and
 * no other file was given for it.
 */
function rowsOf(
  rows: readonly ArtifactDraft[],
  { platform, arch, kind }: FileOption,
  name: string,
): ArtifactDraft[] {
  const devices = artifactKey(platform, arch, '')
  const theirs = rows.filter((row) => artifactKey(row.platform, row.arch, '') === devices)
  const guess = kind ?? guessTarget(name).kind
  const named = rows.filter((row) => row.file === null && fileNameOfRow(row) === name)
  const exact = theirs.filter((row) => row.kind === guess)
  const found = [...named, ...exact]
  if (found.length > 0 || kind !== undefined || theirs.length !== 1) return found
  return theirs.filter((row) => row.file === null && (guess === '' || row.kind === ''))
}

/** A row with what its built file says. What the manifest says of the file stays in `listed`. */
export function withBuilt(row: ArtifactDraft, built: BuiltFile): ArtifactDraft {
  const { name, size, sha512, sha1, signature } = built
  const [, listed = sha1] = RELEASES_LINE.exec(row.signature || signature) ?? []
  if (sha1 !== '' && listed.toLowerCase() !== sha1) throw new UsageError(text.otherPackage(name))
  if (row.signature !== '' && signature !== '' && row.signature !== signature) {
    throw new UsageError(text.otherSignature(name, row.listed?.manifest ?? ''))
  }
  return {
    ...row,
    ...{ sha512, size: String(size), file: { name, size } },
    signature: signature || row.signature,
  }
}
