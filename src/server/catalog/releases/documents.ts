import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import {
  artifactOf,
  fileBeside,
  nameBeside,
  readDocument,
} from '../../../shared/artifacts/documents/document.ts'
import type { ReadDocument } from '../../../shared/artifacts/documents/read-document.ts'
import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import {
  isSigned,
  type SignedDocument,
  SPKI_PREFIX,
} from '../../../shared/files/signed-document.ts'
import type { DocumentUpdater } from '../../../shared/files/updater.ts'
import type { Artifact, PublishBody } from '../../../shared/releases/release.ts'
import { Refusal } from '../errors.ts'
import type { AppRecord } from '../records.ts'
import type { CatalogChannel } from '../snapshot.ts'

interface Place {
  readonly path: string[]
  readonly name: string
}

/**
 * Returns the documents of a release as they are stored, with whether their signatures were checked: where the app has a key
 * of the updater. Throws `invalid` for one that its updater would refuse, is for another version, lists a file that is no
 * artifact of the release or has the name of another one on the channel, is for the same devices as another, or was not
 * signed with a key of the app.
 */
export function verifiedDocuments(
  channel: CatalogChannel,
  { version, artifacts, documents = [] }: Pick<PublishBody, 'version' | 'artifacts' | 'documents'>,
): SignedDocument[] {
  const devices = new Map<string, string>()
  return documents.map((document, index) => {
    const { updater, name } = document
    const place = { path: ['documents', String(index)], name }
    const read = readDocument(document)
    if (read === undefined) throw new Refusal({ code: 'document_unreadable', ...place, updater })
    if (!read.isFor(version)) {
      throw new Refusal({ code: 'document_version', ...place, found: read.version, version })
    }
    const target = [updater, read.platform, read.arch].join('/')
    const first = devices.get(target)
    if (first !== undefined) throw new Refusal({ code: 'document_repeated', ...place, first })
    devices.set(target, name)
    refuseFiles(channel, place, updater, read, artifacts)
    return { ...document, checked: isChecked(channel.app, place, document, read) }
  })
}

function refuseFiles(
  { compiled }: CatalogChannel,
  place: Place,
  updater: DocumentUpdater,
  read: ReadDocument,
  artifacts: readonly Artifact[],
): void {
  for (const file of read.files) {
    const artifact = artifactOf(file, artifacts)
    const beside = nameBeside(file)
    if (artifact === undefined || beside?.includes('/')) {
      throw new Refusal({ code: 'document_file', ...place, file: file.url })
    }
    if (beside === undefined) continue
    const other = compiled.releases.find(({ facts }) => {
      const found = facts.status !== 'rolled_back' && fileBeside(facts, updater, beside)
      return found && sha512InHex(found.sha512) !== sha512InHex(artifact.sha512)
    })
    if (other === undefined) continue
    const taken = { ...place, file: beside, version: other.facts.version }
    throw new Refusal({ code: 'document_file_taken', ...taken })
  }
}

function isChecked(
  { ref: app, proving }: AppRecord,
  place: Place,
  document: SignedDocument,
  { payload, signatures }: ReadDocument,
): boolean {
  if (!isSigned(document)) return false
  const { updater, checked: isRequired } = document
  const keys = proving.documentKeys.filter((key) => key.startsWith(`${updater}:`)).map(toKey)
  if (keys.length === 0) {
    if (isRequired) throw new Refusal({ code: 'document_unchecked', ...place, app, updater })
    return false
  }
  const isVerified = keys.some(({ id, key }) =>
    signatures.some(({ keyId = id, signature }) => {
      return keyId === id && verify(null, payload, key, Buffer.from(signature, 'base64'))
    }),
  )
  if (!isVerified) throw new Refusal({ code: 'document_signature', ...place, app })
  return true
}

/** `id`: as electron-builder names keys, the SHA-256 of the SubjectPublicKeyInfo in hex. */
function toKey(text: string): { readonly id: string; readonly key: KeyObject } {
  const der = Buffer.from(`${SPKI_PREFIX}${text.slice(text.indexOf(':') + 1)}`, 'base64')
  return {
    id: hash('sha256', der),
    key: createPublicKey({ key: der, format: 'der', type: 'spki' }),
  }
}
