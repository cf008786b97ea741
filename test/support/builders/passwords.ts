import type { PasswordJudge } from '../../../src/server/people/password/strength.ts'

/** Strong, as a test of passwords shows: no process has to judge them. */
export const [PASSWORD, OTHER_PASSWORD] = ['glass-otter-violin-77', 'kettle-marble-orchid-31']

let judge: ReturnType<typeof loadJudge> | undefined
const loadJudge = async () =>
  (await import('../../../src/server/people/password/judge.ts')).createJudge()

/** Hashes passwords fast, and judges others than those above, for which the lists take half a second. */
export const FAST_PASSWORDS = {
  passwordCost: 10,
  judgePassword: async (question: Parameters<PasswordJudge>[0]) => {
    if ([PASSWORD, OTHER_PASSWORD].includes(question.password)) return 'strong' as const
    judge ??= loadJudge()
    return (await judge)(question)
  },
}
