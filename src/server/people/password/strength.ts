import { PASSWORD_LENGTH, type PasswordIssue } from '../../../shared/access/person.ts'
import { Refusal } from '../../catalog/errors.ts'
import { Mutex } from '../../runtime/async/mutex.ts'
import { TaskThreads } from '../../runtime/threads/task-threads.ts'
import { workerUrl } from '../../runtime/threads/worker-url.ts'

/** Milliseconds that a judgement may take; it usually takes less than one second. */
const MAX_TIME = 20_000
/** Maximum number of passwords that wait to be judged. */
const MAX_WAITING = 16
const BUSY_SECONDS = 5

/** What the thread judges. `related`: words that an attacker would try first. */
export interface StrengthQuestion {
  readonly password: string
  readonly related: readonly string[]
}

export type StrengthAnswer = 'strong' | Extract<PasswordIssue, 'common' | 'guessable'>

/** Judges a password by how easy it is to guess. */
export type PasswordJudge = (question: StrengthQuestion) => Promise<StrengthAnswer>

const threads = new TaskThreads<StrengthQuestion, StrengthAnswer>(
  workerUrl('password-worker', import.meta.url),
  // Its lists take 70 MB.
  { linger: 0 },
)

/** Checks a new password; see `createStrengthCheck`. */
export type StrengthCheck = (
  password: string,
  path: readonly string[],
  related: readonly string[],
) => Promise<void>

/**
 * Returns the check of new passwords, which throws `password_weak` with the path of the member: by length
 * and by how easy a password is to guess, without rules of composition (NIST SP 800-63B-4, section
 * 3.1.1.2). By default on a thread that ends with the judgement.
 */
export function createStrengthCheck(judge: PasswordJudge = judgeOnThread): StrengthCheck {
  const busy = () => new Refusal({ code: 'too_many_attempts', retrySeconds: BUSY_SECONDS })
  const mutex = new Mutex({ waiting: MAX_WAITING, busy })
  return async (password, path, related) => {
    const refuse = (reason: PasswordIssue) =>
      new Refusal({ code: 'password_weak', path: [...path], reason })
    const length = lengthOf(password)
    if (length < PASSWORD_LENGTH.min) throw refuse('too_short')
    if (length > PASSWORD_LENGTH.max) throw refuse('too_long')
    const answer = await mutex.run(() => judge({ password, related }), MAX_TIME)
    if (answer !== 'strong') throw refuse(answer)
  }
}

/** In code points, without counting those of a text that is far too long. */
function lengthOf(password: string): number {
  return password.length > 4 * PASSWORD_LENGTH.max ? Infinity : [...password].length
}

function judgeOnThread(question: StrengthQuestion): Promise<StrengthAnswer> {
  return threads.run(question, AbortSignal.timeout(MAX_TIME))
}
