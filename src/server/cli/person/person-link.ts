import type { ReadOptions } from '../command/options.ts'
import { printAnswer } from '../command/output.ts'
import { LinkDocument } from '../documents/documents.ts'
import { text } from '../strings/person.ts'

/** A link to print. */
export interface PersonLink {
  readonly token: string
  readonly expiresAt: string
  /** The address of the console, null if it is not known. */
  readonly console: string | null
}

/** Prints a link that works once. */
export function printLink(
  { token, expiresAt, console }: PersonLink,
  options: Pick<ReadOptions, 'json'>,
): void {
  const path = `#/link/${token}`
  const url = console === null ? null : `${console.replace(/[/#]*$/, '')}/${path}`
  const line = url === null ? text.linkWithoutServer(`/console/${path}`) : text.link(url)
  printAnswer(options, LinkDocument, { url, path: `/console/${path}`, expiresAt }, line)
}
