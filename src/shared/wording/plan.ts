import type { StopReason } from '../health/judgement.ts'
import type { FailureAction, PlanReason, PlanWait } from '../plans/plan.ts'
import { formatPercent } from './format.ts'
import { stopReasonLine } from './judgement.ts'

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

/** Returns why the server stopped a plan, and what it did with the release. */
export function stopSentences(reasons: readonly StopReason[], action: FailureAction): string {
  const done = action === 'rollback' ? 'It was rolled back.' : 'It was paused.'
  return [...reasons.map((reason) => `${stopReasonLine(reason)}.`), done].join(' ')
}

/** Returns what a step adds to its percentage that holds devices back: `, 1% held back`; empty for others. */
export function heldBackPhrase(percent: number | undefined): string {
  return percent === undefined ? '' : `, ${formatPercent(percent)} held back`
}

/** Returns that not all devices of a step are offered the release, as a sentence. `openPct`: of the devices that are. */
export function offersWaitSentence(openPct: number): string {
  return `New offers wait: too many devices may have failed, so only ${formatPercent(openPct, 1)} are offered the release.`
}

/** What the next step waits for, in a few words. */
export const PLAN_WAITS: Readonly<Record<PlanWait, string>> = {
  soak: 'soak time',
  gate: 'gate',
  window: 'window',
  freeze: 'end of the freeze',
  proof: 'proof',
  failures: 'evidence about its failures',
}
