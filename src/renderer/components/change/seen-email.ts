import { consoleErrorOf } from '../../bridge/error.ts'

/**
 * Returns the e-mail address that a person has seen when sending a form again: the one that the refusal of the last
 * attempt names, or else the one that the form was filled in with.
 */
export function seenEmail(error: unknown, filledIn: string | null): string | null {
  const refusal = error === null ? undefined : consoleErrorOf(error).refusal
  return refusal?.code === 'email_changed' ? refusal.email : filledIn
}
