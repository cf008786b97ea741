import { readFileSync } from 'node:fs'
import { messageOf } from '../../../shared/basics/message-of.ts'
import { UsageError } from '../command/errors.ts'
import { text } from '../strings/serve.ts'

/** Characters of a secret file that are read at most. */
const MAX_SECRET = 4_096
/** A server, and what it gets in a header: printable ASCII. */
const LINE = /^(?<origin>\S+)[ \t]+(?<authorization>[\x20-\x7e]{1,4096})$/

/** Returns the secret in a file. Throws `UsageError`, which names `givenBy`, if it cannot be read or is empty. */
export function secretIn(file: string, givenBy: string): string {
  const secret = textOf(file, givenBy).slice(0, MAX_SECRET).trim()
  if (secret !== '') return secret
  throw new UsageError(text.unreadable(givenBy, file, 'it is empty'))
}

/**
 * Returns the values of `Authorization` in a file, by the server that gets each: one on a line, after the origin of the
 * server. Empty lines and those that start with `#` are left out. Throws `UsageError` as `secretIn` does, and for a line of
 * another form or a server that is not in `origins`.
 */
export function authorizationsIn(
  file: string,
  givenBy: string,
  origins: readonly string[],
): ReadonlyMap<string, string> {
  const authorizations = new Map<string, string>()
  for (const [index, line] of textOf(file, givenBy).split('\n').entries()) {
    const read = line.trim()
    if (read === '' || read.startsWith('#')) continue
    const { origin = '', authorization } = LINE.exec(read)?.groups ?? {}
    const known = URL.parse(origin)?.origin ?? ''
    if (authorization === undefined || !origins.includes(known) || authorizations.has(known)) {
      throw new UsageError(text.wrongTokenLine(givenBy, file, index + 1))
    }
    authorizations.set(known, authorization)
  }
  return authorizations
}

function textOf(file: string, givenBy: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(text.unreadable(givenBy, file, messageOf(error)))
  }
}
