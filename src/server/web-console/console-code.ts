import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { sessionOf, type WebConsoleParts } from './caller.ts'
import { codeOf, knownBrowserMark } from './cookies.ts'
import type { Reached } from './exposure.ts'

/**
 * Returns the code that opens a console for this computer only in a new browser, until the server is started again:
 * 128 bits as 22 letters. Of the status token, so that the command line can print it; a browser does not get that token
 * itself, as it shows that its holder can read the data folder.
 */
export function consoleCode(statusToken: string): string {
  return createHash('sha256').update(`console ${statusToken}`).digest('base64url').slice(0, 22)
}

/** Compares in constant time. */
export function isConsoleCode(given: string, { api }: WebConsoleParts): boolean {
  const [one, other] = [given, consoleCode(api.statusToken)].map((text) => Buffer.from(text))
  return one !== undefined && one.length === other?.length && timingSafeEqual(one, other)
}

/**
 * Returns whether a browser has to show that it is on this computer before anybody can sign in there: a proxy that adds
 * nothing to requests is at the same address. A session shows it, an earlier sign-in, or the code of the terminal.
 */
export function needsCode(request: IncomingMessage, by: Reached, parts: WebConsoleParts): boolean {
  // Without accounts nobody can sign in.
  if (!by.isForThisComputer || !parts.people.hasAccounts()) return false
  if (sessionOf(request, by, parts) !== undefined) return false
  if (parts.people.knowsBrowser(knownBrowserMark(request, by))) return false
  return !isConsoleCode(codeOf(request, by) ?? '', parts)
}
