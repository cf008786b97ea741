import type { FailureAction, PlanReason, PlanWait } from '../plan.ts'

/** Returns why a plan is suspended or stopped, as a sentence. */
export function planReasonSentence(reason: PlanReason): string {
  switch (reason) {
    case 'changed':
      return 'The release was changed by hand.'
    case 'requested':
      return 'Somebody suspended the plan.'
    case 'restored':
      return 'A backup was restored.'
    case 'refused':
      return 'The next step was refused.'
    case 'failures':
      return 'The release failed on too many devices.'
    case 'rolled_back':
      return 'The release was rolled back.'
  }
}

/** Returns what the server did with a release that failed, as a sentence. */
export function failureActionSentence(action: FailureAction): string {
  return action === 'rollback' ? 'It was rolled back.' : 'It was paused.'
}

/** What the next step waits for, in a few words. */
export const PLAN_WAITS: Readonly<Record<PlanWait, string>> = {
  soak: 'soak time',
  gate: 'gate',
  window: 'window',
  freeze: 'end of the freeze',
  proof: 'proof',
  failures: 'another look at its failures',
}
