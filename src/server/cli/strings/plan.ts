import type { Freeze } from '../../../shared/plans/freeze.ts'
import { checksOf } from '../../../shared/plans/gate-check.ts'
import type { PlanGate, PlanStep } from '../../../shared/plans/plan.ts'
import type { PlanState } from '../../../shared/plans/plan-state.ts'
import { allSteps, type PlannedStep } from '../../../shared/plans/plan-steps.ts'
import {
  formatCounted,
  formatDuration,
  formatList,
  formatPercent,
} from '../../../shared/wording/format.ts'
import { boundsInWords, CHECK_LABELS, readingInWords } from '../../../shared/wording/gate-check.ts'
import {
  heldBackPhrase,
  offersWaitSentence,
  PLAN_WAITS,
  planReasonSentence,
} from '../../../shared/wording/plan.ts'

/** Texts of `release plan`, of the option `--plan`, and of `app freeze`. */
export const text = {
  description: 'Roll a release out by itself, in steps',
  set: 'Set the plan of a release',
  show: 'Show the plan of a release',
  suspend: 'Suspend a plan: no step is applied until it is resumed',
  resume: 'Resume a plan from where the release stands',
  remove: 'Remove the plan of a release, which stays as it is served',
  source: (presets: readonly string[]) =>
    `JSON file with the plan, or ${formatList(presets, 'or')}`,
  option: (presets: readonly string[]) =>
    `Roll out by a plan: a JSON file, or ${formatList(presets, 'or')}`,
  timeZone:
    'Time zone of the windows of such a plan, such as Europe/Berlin (default: that of this computer)',
  withRollout: '--rollout and --plan cannot be used together',
  zoneWithoutPreset: '--time-zone: a plan in a file has a time zone of its own',

  state: (place: string, state: PlanState | null) =>
    state === null
      ? `${place} has no plan.`
      : `Plan of ${place}: ${state.status}, ${formatCounted(state.step, 'step')} of ${allSteps(state.plan).length} applied.`,
  removed: (place: string) => `Removed the plan of ${place}.`,
  reason: ({ reason }: PlanState) => (reason === null ? [] : [planReasonSentence(reason)]),
  next: ({ next, plan, step }: PlanState) => {
    if (next === null) return []
    const what = step < allSteps(plan).length ? `Step ${step + 1}` : 'The end of the plan'
    const wait = next.waitsFor === null ? 'is due' : `waits for: ${PLAN_WAITS[next.waitsFor]}`
    return [`${what} ${wait}${next.at === null ? '' : `, ${next.at} at the earliest`}.`]
  },
  waiting: ({ openPct }: PlanState) => (openPct === null ? [] : [offersWaitSentence(openPct)]),
  headings: ['STEP', 'DEVICES', 'SOAK', 'GATE', 'STATE'],
  devices: (step: PlannedStep) =>
    'ring' in step
      ? `ring ${formatList(step.ring, 'or')}`
      : `${formatPercent(step.rolloutPct)}${heldBackPhrase(step.heldBackPct)}`,
  soak: ({ soakHours }: PlanStep) => formatDuration(soakHours, 'hour', 2),
  readings: ({ next, plan, step, readings }: PlanState) => {
    const steps = allSteps(plan)
    const gate = next === null ? undefined : steps[step - 1]?.gate
    if (gate === undefined || step === steps.length) return []
    return checksOf(gate).map((name) => {
      const reading = readings?.find(({ check }) => check === name)
      const at = reading === undefined ? '' : `, ${reading.at}`
      return `${CHECK_LABELS[name]}: ${readingInWords(gate, name, reading)}${at}.`
    })
  },
  gate: (gate: PlanGate = {}) => {
    const { minAdoptedPct, maxFailedPct, minSample } = gate
    const parts = [
      ...(minAdoptedPct === undefined ? [] : [`adopted ≥ ${formatPercent(minAdoptedPct)}`]),
      ...(maxFailedPct === undefined ? [] : [`failed ≤ ${formatPercent(maxFailedPct, 1)}`]),
      ...(minSample === undefined ? [] : [`sample ≥ ${minSample}`]),
      ...checksOf(gate).map((name) => `${CHECK_LABELS[name]} ${boundsInWords(gate, name)}`),
    ]
    return parts.length === 0 ? null : parts.join(', ')
  },
  stepState: (index: number, applied: number) => (index < applied ? 'applied' : 'pending'),

  freeze: {
    description: 'Show or change the days on which no plan of an app applies a step',
    add: 'First and last day of a freeze, such as 2026-12-19..2027-01-03, or one day; repeatable',
    remove: 'Days of a freeze to remove, as they are listed; repeatable',
    name: 'Name of the added freezes',
    timeZone:
      'Time zone of the added freezes, such as Europe/Berlin (default: that of this computer)',
    form: 'It must have the form 2026-12-19..2027-01-03 or 2026-12-24.',
    wrong: (reason: string) => `The days are wrong: ${reason}.`,
    unknown: (days: string) => `--remove ${days}: the app has no such freeze`,
    days: ({ firstDay, lastDay }: Pick<Freeze, 'firstDay' | 'lastDay'>) =>
      firstDay === lastDay ? firstDay : `${firstDay}..${lastDay}`,
    headings: ['DAYS', 'TIME ZONE', 'NAME'],
    empty: 'No freezes. Add one with --add.',
  },
} as const
