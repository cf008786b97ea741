import { ANY_ARCH, canonicalArch } from '../../devices/aliases.ts'
import { MAX_LIST_BYTES, type SignedDocument } from '../../files/signed-document.ts'
import { type DocumentUpdater, SignedUpdater } from '../../files/updater.ts'
import type { Artifact } from '../../releases/release.ts'
import { addressPath, fileNameOf, isAbsolute } from '../address.ts'
import type { ImportRemark } from '../imported.ts'
import { sha512InHex } from '../sha512.ts'
import { RELEASES_LINE } from '../signature-form.ts'
import { isAppcast, isSignedAppcast, readSparkleDocument } from './appcast.ts'
import { isBuilderManifest } from './builder-manifest.ts'
import { isSignedManifest, readElectronDocument } from './electron-document.ts'
import { isPackageList, readPackageDocument, updaterOfList } from './package-list.ts'
import type { DocumentFile, ReadDocument } from './read-document.ts'

/** How signed documents are read; all others are lists of packages. */
const READERS: Readonly<
  Record<SignedUpdater, (name: string, content: string) => ReadDocument | undefined>
> = {
  electron: readElectronDocument,
  sparkle: readSparkleDocument,
}

/**
 * Returns the document that a file is, by its name and content; undefined for a manifest that carries no signature, and for a
 * list of packages above `MAX_LIST_BYTES`.
 */
export function documentOf(name: string, bytes: Uint8Array): SignedDocument | undefined {
  const content = textOf(bytes) ?? ''
  const document = { name, content: base64Of(bytes), checked: false }
  if (isAppcast(name))
    return isSignedAppcast(content) ? { updater: 'sparkle', ...document } : undefined
  if (isPackageList(name)) {
    return bytes.length > MAX_LIST_BYTES ? undefined : { updater: updaterOfList(name), ...document }
  }
  const isSigned = isBuilderManifest(name) && isSignedManifest(content)
  return isSigned ? { updater: 'electron', ...document } : undefined
}

/** Returns what is to know about a manifest that is, or is not, kept as a document. */
export function documentRemarks(
  manifest: string,
  document: SignedDocument | undefined,
): ImportRemark[] {
  if (isPackageList(manifest)) return document ? [] : [{ code: 'list_too_large', manifest }]
  return document ? [{ code: 'signed', manifest }] : []
}

const known = new WeakMap<SignedDocument, ReadDocument | null>()

/** Reads a document, once. Undefined for one that its updater would refuse. */
export function readDocument(document: SignedDocument): ReadDocument | undefined {
  const before = known.get(document)
  if (before !== undefined) return before ?? undefined
  const content = textOf(bytesOf(document))
  const { updater, name } = document
  const signed = SignedUpdater.safeParse(updater).data
  const reader = signed === undefined ? readPackageDocument : READERS[signed]
  const read = content === undefined ? undefined : reader(name, content)
  known.set(document, read ?? null)
  return read
}

/**
 * Returns the document of a release for devices of a canonical platform, and of an arch if that is known: one for that very
 * arch, else one for all. Undefined if there is none.
 */
export function documentFor(
  { documents = [] }: { readonly documents?: SignedDocument[] | undefined },
  updater: DocumentUpdater,
  platform: string,
  arch = '',
): SignedDocument | undefined {
  const wanted = archOf(arch)
  const find = (named: string) =>
    documents.find((document) => {
      const read = document.updater === updater ? readDocument(document) : undefined
      return read?.platform === platform && archOf(read.arch) === named
    })
  return find(wanted) ?? find('')
}

/** Empty for every arch. */
function archOf(arch: string): string {
  const canonical = canonicalArch(arch)
  return canonical === ANY_ARCH ? '' : canonical
}

/** Returns the bytes of a document. */
export function bytesOf({ content }: Pick<SignedDocument, 'content'>): Uint8Array {
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** With its byte order mark. Undefined for what is not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Returns the artifact that is a file of a document; undefined if the release has none. */
export function artifactOf<T extends Artifact>(
  { url, sha512, size, signature, sha1 }: DocumentFile,
  artifacts: readonly T[],
): T | undefined {
  return artifacts.find((artifact) => {
    if (isAbsolute(url) && new URL(url).href !== new URL(artifact.url).href) return false
    if (size !== 0 && artifact.size !== 0 && size !== artifact.size) return false
    if (sha1 !== undefined) {
      const isNamed = fileNameOf(url) === fileNameOf(artifact.url)
      return (
        isNamed && RELEASES_LINE.exec(artifact.signature)?.[1]?.toLowerCase() === sha1.toLowerCase()
      )
    }
    return sha512 === ''
      ? signature !== '' && signature === artifact.signature
      : sha512InHex(sha512) === sha512InHex(artifact.sha512)
  })
}

/** Returns the name that a file has beside its document, or a path; undefined for one with an address of its own. */
export function nameBeside({ url }: DocumentFile): string | undefined {
  if (isAbsolute(url)) return undefined
  const address = URL.parse(url, FOLDER)
  return address?.href.startsWith(FOLDER) ? addressPath(address.href).slice(1) : `${FOLDER}${url}`
}

/** Stands for the folder of a document. */
const FOLDER = 'http://folder.invalid/'

/** Returns the artifact that has a name beside the documents of an updater; undefined if there is none. */
export function fileBeside(
  release: {
    readonly artifacts: readonly Artifact[]
    readonly documents?: SignedDocument[] | undefined
  },
  updater: DocumentUpdater,
  name: string,
): Artifact | undefined {
  for (const document of release.documents ?? []) {
    const files = document.updater === updater ? readDocument(document)?.files : undefined
    const file = files?.find((each) => nameBeside(each) === name)
    if (file !== undefined) return artifactOf(file, release.artifacts)
  }
  return undefined
}
