import { basename, dirname, join } from 'node:path'
import { isBaseAddress } from '../../../shared/artifacts/address.ts'
import type { ArtifactDraft } from '../../../shared/artifacts/artifact.ts'
import { disagreementWith, type NamedManifest } from '../../../shared/artifacts/disagreement.ts'
import { documentOf, documentRemarks } from '../../../shared/artifacts/documents/document.ts'
import { readManifest } from '../../../shared/artifacts/dropped.ts'
import type { ImportedRelease, ImportRemark } from '../../../shared/artifacts/imported.ts'
import { mergeArtifact } from '../../../shared/artifacts/merge.ts'
import { fileNameOfRow } from '../../../shared/artifacts/rows.ts'
import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import type { SignedDocument } from '../../../shared/files/signed-document.ts'
import { FAULTS, type StagedManifest } from '../../../shared/wording/artifacts.ts'
import { UsageError } from '../command/errors.ts'
import { readBytes, readText } from '../release/release-files.ts'
import { text } from '../strings/publish.ts'
import { type BuiltFile, builtFileOf, isFile, readBuiltFile } from './built-file.ts'
import type { FileOption } from './publish-options.ts'
import { withBuilt, withFile } from './with-file.ts'

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
    const read = await readBuiltFile('--file', option.path)
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

function requireAddress(rows: readonly ArtifactDraft[], { name }: BuiltFile): void {
  const lacks = rows.some(({ file, url }) => file?.name === name && url === '')
  if (lacks) throw new UsageError(text.needsBase(name))
}

/** The built file of a row that has none, beside its manifest. */
async function fileBeside(row: ArtifactDraft, folder: string | undefined) {
  const name = fileNameOfRow(row)
  if (folder === undefined || row.file !== null || name === '') return undefined
  const path = join(folder, basename(name))
  if (isFile(path)) return await readBuiltFile('--from', path)
  const { sha512 = '' } = row.listed ?? {}
  return await builtFileOf(folder, name, { sha512: sha512InHex(sha512), size: Number(row.size) })
}
