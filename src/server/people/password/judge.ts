import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'
import type { StrengthAnswer, StrengthQuestion } from './strength.ts'

/** Of 0 to 4: more than 10^8 guesses. */
const NEEDED_SCORE = 3
/** Code points that are judged: the time grows with more than their square, the strength does not. */
const JUDGED = 64

/** Returns how passwords are judged, with the lists in memory: 70 MB. */
export function createJudge(): (question: StrengthQuestion) => StrengthAnswer {
  const dictionary = { ...common, ...english }
  const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  return ({ password, related }) => {
    const judged = [...password.normalize('NFKC')].slice(0, JUDGED).join('')
    const { score, sequence } = estimator.check(judged, [...related])
    if (score >= NEEDED_SCORE) return 'strong'
    const [only, ...more] = sequence
    const isListed = more.length === 0 && only?.pattern === 'dictionary'
    return isListed ? 'common' : 'guessable'
  }
}
