import { basename, dirname, join } from 'node:path'
import { completeAddress, isBaseAddress } from '../../../shared/artifacts/address.ts'
import { type ArtifactDraft, newArtifact } from '../../../shared/artifacts/artifact.ts'
import { disagreementWith, type NamedManifest } from '../../../shared/artifacts/disagreement.ts'
import { documentOf, documentRemarks } from '../../../shared/artifacts/documents/document.ts'
import { readManifest } from '../../../shared/artifacts/dropped.ts'
import { guessTarget } from '../../../shared/artifacts/guess.ts'
import type { ImportedRelease, ImportRemark } from '../../../shared/artifacts/imported.ts'
import { mergeArtifact } from '../../../shared/artifacts/merge.ts'
import { fileNameOfRow } from '../../../shared/artifacts/rows.ts'
import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import { RELEASES_LINE } from '../../../shared/artifacts/signature-form.ts'
import { artifactKey } from '../../../shared/devices/aliases.ts'
import type { SignedDocument } from '../../../shared/files/signed-document.ts'
import { FAULTS, type StagedManifest } from '../../../shared/wording/artifacts.ts'
import { UsageError } from '../command/errors.ts'
import { readBytes, readText } from '../release/release-files.ts'
import { text } from '../strings/publish.ts'
import { type BuiltFile, builtFileOf, isFile, readBuiltFile } from './built-file.ts'
import type { FileOption } from './publish-options.ts'

/** What the options say about the files of a release. */
export interface SourceOptions {
  readonly from?: readonly string[]
  readonly file?: readonly FileOption[]
  readonly urlBase?: string
  /** The server will say where the files are. */
  readonly upload?: boolean
}

/** What manifests and built files make of a release. Texts that they do not have are empty. */
export interface Sources {
  readonly rows: readonly ArtifactDraft[]
  /** The built files of rows, by the ids of those. */
  readonly built: ReadonlyMap<string, BuiltFile>
  readonly version: string
  readonly notes: string
  readonly remarks: readonly ImportRemark[]
  /** The manifests that are served unchanged. */
  readonly documents: readonly SignedDocument[]
  /** The manifests without a signature that limit the release to a share of devices. */
  readonly staged: readonly StagedManifest[]
}

/**
 * Reads manifests, the built files that are beside them or given, and the signatures beside those. A given file
 * completes the entry of a manifest that is for the same devices or has its name. Throws `UsageError` for what does not
 * fit together, and `Failure` for what cannot be read.
 */
export async function readSources({
  from = [],
  file = [],
  urlBase = '',
  upload = false,
}: SourceOptions): Promise<Sources> {
  if (!isBaseAddress(urlBase)) throw new UsageError(text.wrongBase(urlBase))
  const manifests = from.map((path) => ({
    ...{ path, release: readManifestAt(path, urlBase) },
    document: documentOf(basename(path), readBytes('--from', path)),
  }))
  refuseOtherVersions(manifests)
  refuseDisagreement(manifests.map(({ path, release }) => ({ name: path, ...release })))
  let rows: readonly ArtifactDraft[] = []
  const folders = new Map<string, string>()
  for (const { path, release } of manifests) {
    for (const row of release.artifacts) {
      rows = mergeArtifact(rows, row, new Set()).rows
      folders.set(row.id, dirname(path))
    }
  }
  const built = new Map<string, BuiltFile>()
  for (const option of file) {
    const read = await readFile(option)
    rows = withFile(rows, option, read, urlBase)
    for (const row of rows) if (row.file?.name === read.name) built.set(row.id, read)
    if (!upload) requireAddress(rows, read)
  }
  const complete: ArtifactDraft[] = []
  for (const row of rows) {
    const beside = await fileBeside(row, folders.get(row.id))
    if (beside !== undefined) built.set(row.id, beside)
    complete.push(beside === undefined ? row : withBuilt(row, beside))
  }
  const releases = manifests.map(({ release }) => release)
  const staged = manifests.flatMap(({ path, release, document }) => {
    const { stagingPercentage: percentage } = release
    const isSigned = document !== undefined
    return percentage === null || percentage === 100
      ? []
      : [{ manifest: path, percentage, isSigned }]
  })
  return {
    rows: complete,
    built,
    version: releases[0]?.version ?? '',
    notes: releases.find(({ notes }) => notes !== '')?.notes ?? '',
    remarks: [
      ...releases.flatMap(({ remarks }) => remarks),
      ...manifests.flatMap(({ path, document }) =>
        document ? [] : documentRemarks(basename(path), document),
      ),
      ...staged.flatMap(remarkOf),
    ],
    documents: manifests.flatMap(({ document }) => document ?? []),
    staged: staged.filter(({ isSigned }) => !isSigned),
  }
}

/** The updater reads the percentage of a manifest that is served unchanged. */
function remarkOf({
  isSigned,
  ...staged
}: StagedManifest & { readonly isSigned: boolean }): ImportRemark[] {
  return isSigned ? [{ code: 'signed_staged', ...staged }] : []
}

function readManifestAt(path: string, base: string): ImportedRelease {
  const result = readManifest(basename(path), readText('--from', path), base)
  if (result.ok) return result.release
  throw new UsageError(text.notAManifest(path, FAULTS[result.fault]))
}

function refuseOtherVersions(
  manifests: readonly { readonly path: string; readonly release: ImportedRelease }[],
): void {
  const [first] = manifests
  if (first === undefined) return
  const plain = ({ release }: typeof first) => release.version.replace(/^v/, '')
  const other = manifests.find((each) => plain(each) !== plain(first))
  if (other === undefined) return
  throw new UsageError(text.otherManifest(first.path, plain(first), other.path, plain(other)))
}

function refuseDisagreement(manifests: readonly NamedManifest[]): void {
  for (const [index, manifest] of manifests.entries()) {
    const found = disagreementWith(manifests.slice(0, index), manifest)
    if (found !== undefined) throw new UsageError(text.disagreement(found))
  }
}

async function readFile({ path }: FileOption): Promise<BuiltFile> {
  return await readBuiltFile('--file', path)
}

function withFile(
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

/**
 * A row for the devices that the option names, where those of the row were guessed from names: all that a manifest of
 * electron-builder says of them.
 */
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

function requireAddress(rows: readonly ArtifactDraft[], { name }: BuiltFile): void {
  const lacks = rows.some(({ file, url }) => file?.name === name && url === '')
  if (lacks) throw new UsageError(text.needsBase(name))
}

/** The built file of a row that has none, beside its manifest. */
async function fileBeside(
  row: ArtifactDraft,
  folder: string | undefined,
): Promise<BuiltFile | undefined> {
  const name = fileNameOfRow(row)
  if (folder === undefined || row.file !== null || name === '') return undefined
  const path = join(folder, basename(name))
  if (isFile(path)) return await readBuiltFile('--from', path)
  const { sha512 = '' } = row.listed ?? {}
  return await builtFileOf(folder, name, { sha512: sha512InHex(sha512), size: Number(row.size) })
}

/** A row with what its built file says. What the manifest says of the file stays in `listed`. */
function withBuilt(row: ArtifactDraft, built: BuiltFile): ArtifactDraft {
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
