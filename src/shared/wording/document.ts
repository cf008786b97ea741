import { DOCUMENT_REFUSAL_KINDS, type DocumentRefusal } from '../document-refusal.ts'
import type { RefusalFacts } from '../refusal.ts'
import type { DocumentUpdater, SignedDocument } from '../signed-document.ts'
import { formatList } from './format.ts'

const FORMS: Readonly<Record<DocumentUpdater, string>> = {
  electron: 'a manifest that electron-builder signed and electron-updater accepts',
  sparkle: 'an appcast of one item that Sparkle signed and accepts',
}

const UPDATERS: Readonly<Record<DocumentUpdater, string>> = {
  electron: 'electron-builder',
  sparkle: 'Sparkle',
}

/** Returns whether a refusal is about a signed document. */
export function isDocumentRefusal(facts: RefusalFacts): facts is DocumentRefusal {
  return Object.hasOwn(DOCUMENT_REFUSAL_KINDS, facts.code)
}

/** Returns why a signed document is refused, without a full stop. */
export function documentRefusalReason(facts: DocumentRefusal): string {
  const { name } = facts
  switch (facts.code) {
    case 'document_unreadable':
      return `${name} is not ${FORMS[facts.updater]}`
    case 'document_version':
      return `${name} is for version ${facts.found}, not ${facts.version}`
    case 'document_file':
      return `${name} lists ${facts.file}, and no artifact has the same checksum, size and URL`
    case 'document_file_taken':
      return `${name} lists ${facts.file}, but ${facts.version} on this channel has another file of this name; put the version into file names`
    case 'document_repeated':
      return `${name} and ${facts.first} are for the same devices`
    case 'document_signature':
      return `The signature of ${name} was not made with a key of ${facts.app}`
    case 'document_unchecked':
      return `The signature of ${name} cannot be checked, because ${facts.app} has no key for ${UPDATERS[facts.updater]}`
  }
}

/** Returns that signatures of documents were not checked, as a sentence; null if all were. */
export function uncheckedSentence(documents: readonly SignedDocument[] = []): string | null {
  const names = documents.filter(({ checked }) => !checked).map(({ name }) => name)
  if (names.length === 0) return null
  return `Signature not checked: ${formatList(names)}. Add the public key to the app.`
}
