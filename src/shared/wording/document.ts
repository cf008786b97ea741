import { at, type Sentences } from '../coded.ts'
import { type DocumentRefusal, isSigned, type SignedDocument } from '../files/signed-document.ts'
import { formatList } from './format.ts'
import { DOCUMENT_NAMES } from './updater-client.ts'

/** The messages of the refusals about signed documents, as `refusalSentence` returns them. */
export const DOCUMENT_SENTENCES: Sentences<DocumentRefusal> = {
  document_unreadable: ({ path, name, updater }) =>
    at(path, `${name} is not ${DOCUMENT_NAMES[updater].form}`),
  document_version: ({ path, name, version, found }) =>
    at(path, `${name} is for version ${found}, not ${version}`),
  document_file: ({ path, name, file }) =>
    at(path, `${name} lists ${file}, and no artifact has the same checksum, size and URL`),
  document_file_taken: ({ path, name, file, version }) =>
    at(
      path,
      `${name} lists ${file}, but ${version} on this channel has another file of this name; put the version into file names`,
    ),
  document_repeated: ({ path, name, first }) =>
    at(path, `${name} and ${first} are for the same devices`),
  document_signature: ({ path, name, app }) =>
    at(path, `The signature of ${name} was not made with a key of ${app}`),
  document_unchecked: ({ path, name, app, updater }) =>
    at(
      path,
      `The signature of ${name} cannot be checked, because ${app} has no key for ${DOCUMENT_NAMES[updater].maker}`,
    ),
}

/** Returns that signatures of documents were not checked, as a sentence; null if all were. */
export function uncheckedSentence(documents: readonly SignedDocument[] = []): string | null {
  const names = documents.filter((each) => isSigned(each) && !each.checked).map(({ name }) => name)
  if (names.length === 0) return null
  return `Signature not checked: ${formatList(names)}. Add the public key to the app.`
}
