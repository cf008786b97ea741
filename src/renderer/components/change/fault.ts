import type { z } from 'zod'
import { consoleErrorOf, isUnanswered } from '../../bridge/error.ts'
import { refusalInWords } from '../../bridge/strings.ts'
import { ERROR_TITLES, text as strings } from '../strings.ts'
import { sentence } from '../text/sentence.ts'

/** Returns what is wrong with a text, as a sentence about `subject`; undefined where it can be used. */
export function faultOf(
  schema: z.ZodType<string>,
  text: string,
  subject: string,
): string | undefined {
  if (text === '') return 'Required'
  const read = schema.safeParse(text)
  return read.success ? undefined : `${subject} ${read.error.issues[0]?.message}.`
}

/** Returns that what should be created already exists, for the field that names it; undefined for other errors. */
export function duplicateFault(error: unknown): string | undefined {
  if (error === null) return undefined
  const { code, message } = consoleErrorOf(error)
  return code === 'duplicate' ? sentence(message) : undefined
}

/** Returns why a member of the input was refused, for its field; undefined for every other error. */
export function faultIn(error: unknown, member: string): string | undefined {
  const refusal = error === null ? undefined : consoleErrorOf(error).refusal
  if (refusal === undefined || !('path' in refusal) || refusal.path[0] !== member) return undefined
  return refusalInWords({ ...refusal, path: [] })
}

/** Returns the title of an error. `usual`: what did not happen, unless nobody knows. */
export function errorTitle(error: unknown, usual?: string): string {
  if (usual !== undefined && !isUnknown(error)) return usual
  const { code, refusal } = consoleErrorOf(error)
  return refusal?.code === 'outcome_unknown' ? strings.noAnswer : ERROR_TITLES[code]
}

/** Returns the same for beside another screen, where it has to say which change it is. */
export function announcedTitle(error: unknown, usual: string): string {
  return isUnknown(error) ? strings.unconfirmed(usual) : usual
}

/** Whether nobody knows if a change was made. */
function isUnknown(error: unknown): boolean {
  return isUnanswered(error) || consoleErrorOf(error).refusal?.code === 'outcome_unknown'
}
