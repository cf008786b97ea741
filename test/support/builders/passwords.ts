import { createJudge } from '../../../src/server/people/password/judge.ts'
import type { PasswordJudge } from '../../../src/server/people/password/strength.ts'

let judge: ReturnType<typeof createJudge> | undefined
/** By the question: most tests ask the same. */
const judged = new Map<string, ReturnType<NonNullable<typeof judge>>>()

/** Hashes passwords fast, and judges each once, without loading the lists for it on a thread of its own. */
export const FAST_PASSWORDS = {
  passwordCost: 10,
  judgePassword: async (question: Parameters<PasswordJudge>[0]) => {
    const key = JSON.stringify(question)
    judge ??= createJudge()
    const judgement = judged.get(key) ?? judge(question)
    judged.set(key, judgement)
    return judgement
  },
}
