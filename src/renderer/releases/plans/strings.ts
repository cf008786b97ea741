import {
  type FailureAction,
  type Plan,
  type PlanWindow,
  WEEKDAYS,
} from '../../../shared/plans/plan.ts'
import type { PlanPreset } from '../../../shared/plans/plan-presets.ts'
import type { PlanState, PlanWait } from '../../../shared/plans/plan-state.ts'
import { allSteps, type PlannedStep } from '../../../shared/plans/plan-steps.ts'
import {
  formatCount,
  formatCounted,
  formatDuration,
  formatList,
  formatPercent,
  formatSize,
} from '../../../shared/wording/format.ts'
import { heldBackPhrase } from '../../../shared/wording/plan.ts'
import type { RolloutMode } from './choice/rollout-draft.ts'

type Weekday = (typeof WEEKDAYS)[number]

/** Names of the days of the week. */
export const WEEKDAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
}

/** What rollout plans are, wherever they are shown. */
export const text = {
  plan: 'Rollout plan',
  everyone: 'Everyone',
  stepsDone: ({ plan, step }: Pick<PlanState, 'plan' | 'step'>) =>
    `${formatCount(step)} of ${formatCounted(allSteps(plan).length, 'step')} applied`,
  heldBackUntil: (percent: number) => `${formatPercent(percent)} held back until`,
  beingApplied: 'Being applied now',
  atEarliest: 'at the earliest',
  everyoneBy: (time: string) => `Everyone by ${time} at the earliest`,
  lastStepBy: (time: string) => `Last step on ${time} at the earliest`,
  neverOpens: 'No window opens, so the last step is never applied',
  rightAway: 'Right away',
  aboutDevices: ({ devices, bytes } = { devices: 0, bytes: 0 }) => {
    const download = bytes === 0 ? '' : `, ${formatSize(bytes)} to download`
    return `about ${formatCounted(devices, 'device')}${download}`
  },
  ringHint: 'Devices that send this value in their label “ring”',
} as const

/** Returns whom a step reaches: `10%`, `Ring testers`, `Everyone`. */
export function stepInWords(step: PlannedStep): string {
  return 'ring' in step ? ringsInWords(step.ring) : percentInWords(step)
}

function ringsInWords(rings: readonly string[]): string {
  return `${rings.length === 1 ? 'Ring' : 'Rings'} ${formatList(rings)}`
}

function percentInWords({
  rolloutPct,
  heldBackPct,
}: Extract<PlannedStep, { rolloutPct: number }>): string {
  if (rolloutPct === 100) return text.everyone
  return `${formatPercent(rolloutPct)}${heldBackPhrase(heldBackPct)}`
}

/** Returns the same in few letters: `100%`, `testers`. */
export function stepInShort(step: PlannedStep): string {
  return 'ring' in step ? step.ring.join(', ') : formatPercent(step.rolloutPct)
}

/** Returns the step that a plan applies next; undefined after the last. */
export function nextStepOf({
  plan,
  step,
}: {
  readonly plan: Pick<Plan, 'steps' | 'holdoutPct'>
  readonly step: number
}): PlannedStep | undefined {
  return allSteps(plan)[step]
}

/** Returns all steps in a line: `Ring testers → 10% → Everyone`. */
export function stepsInWords(plan: Pick<Plan, 'steps' | 'holdoutPct'>): string {
  return allSteps(plan)
    .map((step) => stepInWords(step))
    .join(' → ')
}

/** Returns a time in hours as people say it: `90 minutes`, `24 hours`, `3 days`. */
export function hoursInWords(hours: number): string {
  if (hours >= 48 && hours % 24 === 0) return formatDuration(hours / 24, 'day')
  if (hours > 0 && hours < 1) return formatDuration(hours * 60, 'minute')
  return formatDuration(hours, 'hour', 1)
}

/** Returns when steps are applied: `Mon–Fri, 09:00–16:00 (Europe/Berlin)`; at any time without windows. */
export function windowsInWords({ windows, timeZone }: Pick<Plan, 'windows' | 'timeZone'>): string {
  if (windows.length === 0) return 'at any time'
  return `${windows.map(windowInWords).join('; ')} (${timeZone})`
}

function windowInWords({ days, from, to }: PlanWindow): string {
  return `${daysInWords(days)}, ${from}–${to}${to < from ? ' the next day' : ''}`
}

function daysInWords(days: PlanWindow['days']): string {
  const positions = WEEKDAYS.flatMap((day, index) => (days.includes(day) ? [index] : []))
  if (positions.length === WEEKDAYS.length) return 'every day'
  const [first = 0] = positions
  const last = positions.at(-1) ?? first
  const name = (index: number) => WEEKDAY_NAMES[WEEKDAYS[index] ?? 'mon']
  const isRun = positions.length > 2 && last - first === positions.length - 1
  return isRun ? `${name(first)}–${name(last)}` : formatList(positions.map(name))
}

/** What a preset is called, and what it does. */
const PRESET_WORDS: Readonly<
  Record<PlanPreset, { readonly name: string; readonly meaning: string }>
> = {
  'one-day': {
    name: 'One day',
    meaning: '5%, then 25%, 50% and everyone within a day',
  },
  'cautious-week': {
    name: 'Cautious week',
    meaning: 'From 5% to everyone in a week or longer, on workdays from 09:00 to 16:00',
  },
  'three-days': {
    name: 'Three days',
    meaning: '25% for three days, then everyone',
  },
  'my-machine-first': {
    name: 'My computer first',
    meaning: 'Devices with the label ring=me, then ring=testers, then 10%, 50% and everyone',
  },
}

const FAILURE_WORDS: Readonly<Record<FailureAction, string>> = {
  pause: 'pause the release',
  rollback: 'roll the release back',
}

/** Returns when a plan stops by itself, as a sentence. */
export function stopInWords({
  maxFailedPct,
  minSample,
  onFailure,
}: Pick<Plan, 'maxFailedPct' | 'minSample' | 'onFailure'>): string {
  const share = formatPercent(maxFailedPct, Number.isInteger(maxFailedPct) ? 0 : 1)
  return `If more than ${share} of at least ${formatCounted(minSample, 'device')} fail, at 95% confidence: ${FAILURE_WORDS[onFailure]} and stop the plan.`
}

/** What the next step waits for. */
export const WAIT_WORDS: Readonly<Record<PlanWait, string>> = {
  soak: 'Waiting for time to pass',
  gate: 'Waiting until the conditions are met',
  window: 'Waiting for the next window',
  freeze: 'Waiting for the end of a freeze',
  proof: 'Waiting until the artifacts are proven',
  failures: 'On hold: too many devices may have failed',
}

/** How a release is rolled out, to choose from. */
export const choiceText = {
  modes: 'How to roll out',
  recommended: 'Recommended',
  customize: 'Customize steps',
  ringsNeedEarlyAccess:
    'Add the rings to the early access of the channel first, so that all their devices are offered the release.',
} as const

export const MODE_WORDS: Readonly<
  Record<RolloutMode, { readonly name: string; readonly meaning: string }>
> = {
  ...PRESET_WORDS,
  custom: { name: 'Custom plan', meaning: 'Your own steps, waits, conditions and windows' },
  everyone: {
    name: 'Everyone at once',
    meaning: 'All devices are offered the release right away. Nothing stops it by itself.',
  },
  manual: {
    name: 'By hand',
    meaning: 'You choose a percentage and raise it yourself. Nothing stops it by itself.',
  },
}
