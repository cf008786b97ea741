import {
  type Compared,
  type FailedShare,
  HOLDOUT_MEASURES,
  type HoldoutMeasure,
  type HoldoutResult,
  type StopReason,
} from '../health/judgement.ts'
import type { FailureAction } from '../plans/plan.ts'
import type { PlanReason, PlanWait } from '../plans/plan-state.ts'
import { formatCounted, formatList, formatPercent } from './format.ts'
import { shortPercent, stopReasonLine } from './judgement.ts'

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

const MEASURED: Readonly<Record<HoldoutMeasure, string>> = {
  silent: 'silent',
  reverted: 'reverted',
  crashed: 'crashed sessions',
}

/** Returns what a holdout has shown, without a full stop: `released 5% held back, no difference shown`. */
export function holdoutLine(releasedPct: number, result: HoldoutResult): string {
  const worse = HOLDOUT_MEASURES.filter((measure) => result[measure]?.isWorse)
  const found = worse.map((measure) => MEASURED[measure])
  const shown =
    found.length === 0 ? 'no difference shown' : `more ${formatList(found, 'and')} with the release`
  return `released ${formatPercent(releasedPct)} held back, ${shown}`
}

/** Returns the shares that a holdout has compared, as sentences. */
export function holdoutSentences(result: HoldoutResult): string {
  const { silent, reverted, crashed } = result
  const [offered, heldBack] = [silent.offered.judged, silent.heldBack.judged]
  const devices = `Compared ${formatCounted(offered, 'device')} with ${formatCounted(heldBack, 'device')} held back.`
  const shares = [
    `Silent: ${sharesIn(silent)}.`,
    `Reverted: ${sharesIn(reverted)}.`,
    crashed === null
      ? 'Crash-free sessions: unknown.'
      : `Crash-free sessions: ${crashFreeIn(crashed.offered)}, ${crashFreeIn(crashed.heldBack)} with the previous release.`,
  ]
  return [devices, ...shares].join(' ')
}

function sharesIn({ offered, heldBack }: Compared): string {
  return `${shortPercent(100 * shareOf(offered))} offered, ${shortPercent(100 * shareOf(heldBack))} held back`
}

function crashFreeIn(share: FailedShare): string {
  return formatPercent(100 * (1 - shareOf(share)), 2)
}

function shareOf({ failed, judged }: FailedShare): number {
  return judged === 0 ? 0 : failed / judged
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
