import { HttpError } from '../answer/errors.ts'
import { text } from '../strings.ts'

const REQUIRED = ['app', 'channel', 'version'] as const

/** Refuses a body that does not name a release, with the one message that the contract words for itself. */
export function requireReleaseName(body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  const missing = REQUIRED.find((member) => (Reflect.get(body, member) ?? '') === '')
  if (missing === undefined) return
  throw new HttpError(400, text.required(missing))
}
