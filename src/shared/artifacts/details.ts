import type { AppcastElement, ArtifactDetails, ArtifactExtra } from '../files/artifact-details.ts'
import { completeAddress, fileNameOf, isAbsolute } from './address.ts'
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
 * Returns the details of a row as they are published: with full addresses of what is beside the file, without what is beside an
 * appcast and has none, and with the publisher's form of the notes only if `notes` still say the same.
 */
export function publishedDetails(row: ArtifactDraft, notes: string): ArtifactDetails {
  const { extra, ...details } = row.details
  const { packages, releaseNotes, item, ...manifest } = extra?.manifest ?? {}
  if (extra?.manifest === undefined) return row.details
  const list = notesList(releaseNotes)
  const kept = elementsOf(item).flatMap((each) => completeElement(each, row, notes) ?? [])
  const complete: ArtifactExtra = {
    ...extra,
    manifest: {
      ...manifest,
      ...(packages === undefined ? {} : { packages: completePackages(packages, folderOf(row)) }),
      ...(list !== undefined && notesOf(list) === notes ? { releaseNotes } : {}),
      ...(extra.updater === 'sparkle' ? { item: kept } : {}),
    },
  }
  return { ...details, extra: complete }
}

/** Returns what a row of an appcast names beside the appcast, which is served only if the file is there, too. */
export function relativeMembers(row: ArtifactDraft): string[] {
  return elementsOf(row.details.extra?.manifest?.item).flatMap(addressesIn).filter(isRelative)
}

/** Elements whose text is an address. */
const LINKS = new Set(['link', 'sparkle:releaseNotesLink', 'sparkle:fullReleaseNotesLink'])

function elementsOf(value: unknown): AppcastElement[] {
  return Array.isArray(value) ? value.filter(isElement) : []
}

function isElement(value: unknown): value is AppcastElement {
  return isObject(value) && typeof value.name === 'string'
}

const isRelative = (address: string) => !isAbsolute(address)

function addressesIn({ name, text, attributes, children }: AppcastElement): string[] {
  const own = LINKS.has(name) ? text?.trim() : attributes?.url
  return [...(own === undefined ? [] : [own]), ...(children ?? []).flatMap(addressesIn)]
}

/** Undefined for an element that names something beside the appcast whose address is not known, and for other notes than these. */
function completeElement(
  element: AppcastElement,
  row: ArtifactDraft,
  notes: string,
): AppcastElement | undefined {
  const { name, text, attributes, children } = element
  if (name === 'description' && notes !== '' && notes !== text?.trim()) return undefined
  const isBeside = row.relative !== '' && fileNameOf(row.url) === fileNameOf(row.relative)
  const complete = (address: string) => completeAddress(isBeside ? folderOf(row) : '', address)
  if (!isBeside && addressesIn(element).some(isRelative)) return undefined
  return {
    ...element,
    ...(LINKS.has(name) && text !== undefined ? { text: complete(text.trim()) } : {}),
    ...(attributes?.url === undefined
      ? {}
      : { attributes: { ...attributes, url: complete(attributes.url) } }),
    ...(children === undefined
      ? {}
      : { children: children.flatMap((each) => completeElement(each, row, '') ?? []) }),
  }
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
