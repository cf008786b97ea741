import type { FailureAction, PlanReason, PlanWait } from '../plan.ts'

/** Returns why a plan is suspended or stopped, as a sentence. */
export function planReasonSentence(reason: PlanReason): string {
  return REASONS[reason]
}

const REASONS: Readonly<Record<PlanReason, string>> = {
  changed: 'The release was changed by hand.',
  requested: 'Somebody suspended the plan.',
  restored: 'A backup was restored.',
  refused: 'The next step was refused.',
  failures: 'The release failed on too many devices.',
  rolled_back: 'The release was rolled back.',
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
