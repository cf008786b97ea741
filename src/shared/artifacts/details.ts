import type { ArtifactDetails, ArtifactExtra } from '../files/artifact-details.ts'
import { completeAddress } from './address.ts'
import type { ArtifactDraft } from './artifact.ts'

/** A package that the web installer of electron-builder downloads when it is installed. */
interface Package {
  readonly path: string
}

/** The members of `ArtifactDetails`. Without its schema, which the thread that writes to the database need not load. */
const NAMES = Object.keys({
  minimumSystemVersion: true,
  isAdminRightsRequired: true,
  blockMapSize: true,
  extra: true,
} satisfies Record<keyof ArtifactDetails, true>) as readonly (keyof ArtifactDetails)[]

/** Returns the details of an artifact; those that are not given are absent. */
export function detailsOf(artifact: ArtifactDetails): ArtifactDetails {
  return Object.fromEntries(
    NAMES.flatMap((name) => (artifact[name] === undefined ? [] : [[name, artifact[name]]])),
  )
}

/** Returns an artifact without its details. */
export function withoutDetails<T extends ArtifactDetails>(
  artifact: T,
): Omit<T, keyof ArtifactDetails> {
  const {
    minimumSystemVersion: _floor,
    isAdminRightsRequired: _rights,
    blockMapSize: _size,
    extra: _extra,
    ...plain
  } = artifact
  return plain
}

/**
 * Returns the details of a row as they are published: packages with full addresses, beside the folder of the file, and
 * notes by version only if `notes` still say the same.
 */
export function publishedDetails(row: ArtifactDraft, notes: string): ArtifactDetails {
  const { extra, ...details } = row.details
  const { packages, releaseNotes, ...manifest } = extra?.manifest ?? {}
  if (extra?.manifest === undefined) return row.details
  const list = notesList(releaseNotes)
  const complete: ArtifactExtra = {
    ...extra,
    manifest: {
      ...manifest,
      ...(packages === undefined ? {} : { packages: completePackages(packages, folderOf(row)) }),
      ...(list !== undefined && notesOf(list) === notes ? { releaseNotes } : {}),
    },
  }
  return { ...details, extra: complete }
}

/** Returns the packages of a row that are named by a relative path. */
export function relativePackages({ details }: Pick<ArtifactDraft, 'details'>): string[] {
  return packagesIn(details.extra?.manifest?.packages)
    .map(([, { path }]) => path)
    .filter((path) => completeAddress('', path) === '')
}

/** Notes of one version in a list of them. */
interface VersionNotes {
  readonly version: string
  readonly note: string | null
}

/** Returns notes by version as one text, with a heading for each. */
export function notesOf(list: readonly VersionNotes[]): string {
  return list
    .map(({ version, note }) => (note ? `## ${version}\n\n${note}` : `## ${version}`))
    .join('\n\n')
}

/** Reads notes by version; undefined if they are something else. */
export function notesList(value: unknown): readonly VersionNotes[] | undefined {
  if (!Array.isArray(value)) return undefined
  const list = value.map((each: unknown) => {
    if (!isObject(each)) return undefined
    const { version, note = null } = each
    const isNote = note === null || typeof note === 'string'
    if (!isNote || !['string', 'number'].includes(typeof version)) return undefined
    return { version: String(version), note }
  })
  return list.every((each) => each !== undefined) ? list : undefined
}

function completePackages(packages: unknown, folder: string): unknown {
  const found = packagesIn(packages)
  if (found.length === 0) return packages
  const complete = found.map(([arch, each]) => {
    return [arch, { ...each, path: completeAddress(folder, each.path) || each.path }]
  })
  return { ...(packages as object), ...Object.fromEntries(complete) }
}

function packagesIn(packages: unknown): [string, Package][] {
  if (!isObject(packages)) return []
  return Object.entries(packages).filter(
    (entry): entry is [string, Package & Record<string, unknown>] =>
      isObject(entry[1]) && typeof entry[1].path === 'string',
  )
}

/** The folder that the addresses of a manifest follow. */
function folderOf({ url, relative }: ArtifactDraft): string {
  const isBelow = relative !== '' && url.endsWith(relative)
  return isBelow ? url.slice(0, -relative.length) : url.replace(/[^/]*$/, '')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
