import { isStepBack } from '../../../shared/refusal.ts'
import { stepBackReason } from '../../../shared/wording/refusal.ts'
import { ConsoleError, consoleErrorOf } from '../../bridge/error.ts'
import { text } from './strings.ts'

/** Returns why a serving change was refused, for somebody who did not expect it. Other errors stay. */
export function refusalInWords(error: unknown): ConsoleError | null {
  if (error === null || error === undefined) return null
  const refused = consoleErrorOf(error)
  const { code, refusal } = refused
  if (refusal === undefined) return refused
  if (isStepBack(refusal)) {
    const why = `It ${stepBackReason(refusal)}.`
    return new ConsoleError(code, text.stepBack(why), refusal)
  }
  if (refusal.code !== 'release_rolled_back') return refused
  return new ConsoleError(code, text.rolledBackMeanwhile, refusal)
}
