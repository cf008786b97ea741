import { createJudge } from '../../../src/server/people/password/judge.ts'
import type { PasswordJudge } from '../../../src/server/people/password/strength.ts'

let judge: ReturnType<typeof createJudge> | undefined

/** Hashes passwords fast, and judges them without loading the lists for each on a thread of its own. */
export const FAST_PASSWORDS = {
  passwordCost: 10,
  judgePassword: async (question: Parameters<PasswordJudge>[0]) => {
    judge ??= createJudge()
    return judge(question)
  },
}
