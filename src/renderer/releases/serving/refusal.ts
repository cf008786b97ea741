import { isStepBack } from '../../../shared/refusal.ts'
import { stepBackReason } from '../../../shared/wording/refusal.ts'
import { ConsoleError, consoleErrorOf } from '../../bridge/error.ts'

/** Why a serving change was refused, for somebody who did not expect it. Other errors stay. */
export function refusalInWords(error: unknown): ConsoleError | null {
  if (error === null || error === undefined) return null
  const refused = consoleErrorOf(error)
  const { code, refusal } = refused
  if (refusal === undefined) return refused
  if (isStepBack(refusal)) {
    const why = `It ${stepBackReason(refusal)}.`
    const rule = 'What devices were offered cannot be taken back from them'
    const fix = 'roll the release back to withdraw it. Nothing was changed.'
    return new ConsoleError(code, `${why} ${rule}; ${fix}`, refusal)
  }
  if (refusal.code !== 'release_rolled_back') return refused
  const why = 'It was rolled back in the meantime, which is final.'
  const fix = 'Publish a new version to serve these files again. Nothing was changed.'
  return new ConsoleError(code, `${why} ${fix}`, refusal)
}
