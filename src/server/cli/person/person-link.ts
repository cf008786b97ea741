import { LinkDocument } from '../documents/documents.ts'
import { print, printJson } from '../output.ts'
import { text } from '../strings/person.ts'

/** A link to print. */
export interface PersonLink {
  readonly token: string
  readonly expiresAt: string
  /** The address of the console, null if it is not known. */
  readonly console: string | null
}

/** Prints a link that works once. */
export function printLink({ token, expiresAt, console }: PersonLink, json = false): void {
  const path = `#/link/${token}`
  const url = console === null ? null : `${console.replace(/[/#]*$/, '')}/${path}`
  if (json) printJson(LinkDocument, { url, path: `/console/${path}`, expiresAt })
  else print(url === null ? text.linkWithoutServer(`/console/${path}`) : text.link(url))
}
