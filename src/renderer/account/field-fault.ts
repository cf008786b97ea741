import { refusalSentence } from '../../shared/wording/refusal.ts'
import { consoleErrorOf } from '../bridge/error.ts'
import { sentence } from '../components/text/sentence.ts'

/** Returns why a member of the input was refused, for its field; undefined for every other error. */
export function faultIn(error: unknown, member: string): string | undefined {
  const refusal = error === null ? undefined : consoleErrorOf(error).refusal
  if (refusal === undefined || !('path' in refusal) || refusal.path[0] !== member) return undefined
  return sentence(refusalSentence({ ...refusal, path: [] }))
}
