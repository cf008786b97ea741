import { readFileSync } from 'node:fs'
import { messageOf } from '../../shared/message-of.ts'
import { UsageError } from './errors.ts'
import { text } from './strings/serve.ts'

/** Bytes of a secret file that are read at most. */
const MAX_SECRET = 4_096

/** Returns the secret in a file. Throws `UsageError`, which names `givenBy`, if it cannot be read or is empty. */
export function secretIn(file: string, givenBy: string): string {
  try {
    const secret = readFileSync(file, 'utf8').slice(0, MAX_SECRET).trim()
    if (secret !== '') return secret
  } catch (error) {
    throw new UsageError(text.unreadable(givenBy, file, messageOf(error)))
  }
  throw new UsageError(text.unreadable(givenBy, file, 'it is empty'))
}
