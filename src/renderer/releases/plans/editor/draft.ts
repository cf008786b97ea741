import { newId } from '../../../../shared/basics/new-id.ts'
import { issueOf } from '../../../../shared/issue.ts'
import type { GateChecks } from '../../../../shared/plans/gate-check.ts'
import type { FailureAction, PlanWindow } from '../../../../shared/plans/plan.ts'
import { Plan } from '../../../../shared/plans/plan.ts'
import { sentence } from '../../../components/text/sentence.ts'
import { text } from './strings.ts'

/** A step in the form: what is typed stays as it is. */
export interface StepDraft {
  readonly id: string
  readonly kind: 'rollout' | 'ring'
  readonly rolloutPct: string
  readonly rings: readonly string[]
  readonly soakHours: string
  readonly gate: GateDraft
  /** The rest of the gate: what a plan in a file asks others. */
  readonly checks: GateChecks
}

/** Empty members are not asked for. */
export interface GateDraft {
  readonly minAdoptedPct: string
  readonly maxFailedPct: string
  readonly minSample: string
  /** Of its check, the least share alone. */
  readonly crashFree: string
}

export interface WindowDraft {
  readonly id: string
  readonly days: PlanWindow['days']
  readonly from: string
  /** Midnight is `00:00`, as fields for a time have it. */
  readonly to: string
}

/** A plan in the form. */
export interface PlanDraft {
  readonly steps: readonly StepDraft[]
  readonly windows: readonly WindowDraft[]
  readonly timeZone: string
  readonly maxFailedPct: string
  readonly minSample: string
  readonly onFailure: FailureAction
  /** Empty for none. */
  readonly holdoutPct: string
}

/** What is wrong with a plan: a sentence for each field, by its path in the plan (`steps.0.soakHours`). */
export type PlanIssues = ReadonlyMap<string, string>

export type PlanRead =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly issues: PlanIssues }

const NO_GATE: GateDraft = { minAdoptedPct: '', maxFailedPct: '', minSample: '', crashFree: '' }
const GATE_FIELDS = ['minAdoptedPct', 'maxFailedPct', 'minSample', 'crashFree'] as const
const DAY_OF_SOAK = '24'
const USUAL_PERCENTAGES = [1, 5, 10, 25, 50, 100]

/** Returns a plan as the form has it. */
export function planInForm(plan: Plan): PlanDraft {
  return {
    steps: plan.steps.map((step) => ({
      id: newId(),
      kind: 'ring' in step ? 'ring' : 'rollout',
      rolloutPct: 'ring' in step ? '' : String(step.rolloutPct),
      rings: 'ring' in step ? step.ring : [],
      soakHours: String(step.soakHours),
      gate: {
        minAdoptedPct: String(step.gate?.minAdoptedPct ?? ''),
        maxFailedPct: String(step.gate?.maxFailedPct ?? ''),
        minSample: String(step.gate?.minSample ?? ''),
        crashFree: String(step.gate?.crashFree?.minPct ?? ''),
      },
      checks: checksIn(step.gate),
    })),
    windows: plan.windows.map(({ days, from, to }) => ({
      id: newId(),
      ...{ days, from, to: to === '24:00' ? '00:00' : to },
    })),
    timeZone: plan.timeZone,
    maxFailedPct: String(plan.maxFailedPct),
    minSample: String(plan.minSample),
    onFailure: plan.onFailure,
    holdoutPct: String(plan.holdoutPct ?? ''),
  }
}

/** Reads the form as a plan, or finds what is wrong with it. */
export function readPlan(draft: PlanDraft): PlanRead {
  const issues = numberIssues(draft)
  if (issues.size > 0) return { ok: false, issues }
  const plain = plainOf(draft)
  const read = Plan.safeParse(plain)
  if (read.success) return { ok: true, plan: read.data }
  const { path, reason } = issueOf(read.error, plain)
  return { ok: false, issues: new Map([[path.map(String).join('.'), sentence(reason)]]) }
}

/** Returns what is wrong at a path or below it. */
export function issueAt(issues: PlanIssues, path: string): string | undefined {
  const below = [...issues].find(([at]) => at === path || at.startsWith(`${path}.`))
  return below?.[1]
}

/** Returns the draft with a step more: before the one that reaches everyone, if that is the last. */
export function withNewStep(draft: PlanDraft): PlanDraft {
  const { steps } = draft
  const last = steps.at(-1)
  const isComplete = last?.kind === 'rollout' && Number(last.rolloutPct) === 100
  const before = isComplete ? steps.slice(0, -1) : steps
  const after = isComplete ? [last] : []
  return { ...draft, steps: [...before, stepAfter(before.at(-1)), ...after] }
}

function stepAfter(last: StepDraft | undefined): StepDraft {
  const reached = last === undefined || last.kind === 'ring' ? 0 : Number(last.rolloutPct)
  const next = USUAL_PERCENTAGES.find((each) => each > reached && each < 100)
  const rolloutPct = next ?? Math.min(100, Math.round((reached + 100) / 2))
  return {
    ...{ id: newId(), kind: 'rollout', rolloutPct: String(rolloutPct), rings: [] },
    ...{ soakHours: DAY_OF_SOAK, gate: NO_GATE, checks: {} },
  }
}

function checksIn({ prometheus, sentry, crashFree }: GateChecks = {}): GateChecks {
  return {
    ...(prometheus && { prometheus }),
    ...(sentry && { sentry }),
    ...(crashFree && { crashFree }),
  }
}

/** Returns the draft with a step changed. Rings come before percentages, as plans have them. */
export function withStep(draft: PlanDraft, changed: StepDraft): PlanDraft {
  const steps = draft.steps.map((step) => (step.id === changed.id ? changed : step))
  const rings = steps.filter(({ kind }) => kind === 'ring')
  return { ...draft, steps: [...rings, ...steps.filter(({ kind }) => kind === 'rollout')] }
}

/** A window on workdays, in office hours. */
export function newWindow(): WindowDraft {
  const days: WindowDraft['days'] = ['mon', 'tue', 'wed', 'thu', 'fri']
  return { id: newId(), days, from: '09:00', to: '16:00' }
}

function plainOf(draft: PlanDraft): unknown {
  const { steps, windows, timeZone, onFailure } = draft
  return {
    steps: steps.map(plainStep),
    windows: windows.map(({ days, from, to }) => ({
      ...{ days, from, to: to === '00:00' ? '24:00' : to },
    })),
    timeZone,
    onFailure,
    maxFailedPct: numberOf(draft.maxFailedPct),
    minSample: numberOf(draft.minSample),
    ...(draft.holdoutPct.trim() === '' ? {} : { holdoutPct: numberOf(draft.holdoutPct) }),
  }
}

function plainStep({ kind, rolloutPct, rings, soakHours, gate, checks }: StepDraft): unknown {
  const asked = GATE_FIELDS.filter((name) => gate[name].trim() !== '')
  const { crashFree, ...others } = checks
  const values = asked.map((name) => {
    const value = numberOf(gate[name])
    return [name, name === 'crashFree' ? { ...crashFree, minPct: value } : value]
  })
  const whole = { ...Object.fromEntries(values), ...others }
  return {
    ...(kind === 'ring' ? { ring: rings } : { rolloutPct: numberOf(rolloutPct) }),
    soakHours: numberOf(soakHours),
    ...(Object.keys(whole).length === 0 ? {} : { gate: whole }),
  }
}

function numberIssues({
  steps,
  maxFailedPct,
  minSample,
  holdoutPct,
}: PlanDraft): Map<string, string> {
  const issues = new Map<string, string>()
  const look = (path: string, typed: string, isNeeded = true) => {
    if (typed.trim() === '') {
      if (isNeeded) issues.set(path, text.required)
    } else if (Number.isNaN(numberOf(typed))) issues.set(path, text.notANumber)
  }
  for (const [index, { kind, rolloutPct, soakHours, gate }] of steps.entries()) {
    if (kind === 'rollout') look(`steps.${index}.rolloutPct`, rolloutPct)
    look(`steps.${index}.soakHours`, soakHours)
    for (const name of GATE_FIELDS) look(`steps.${index}.gate.${name}`, gate[name], false)
  }
  look('maxFailedPct', maxFailedPct)
  look('minSample', minSample)
  look('holdoutPct', holdoutPct, false)
  return issues
}

/** A decimal comma is understood as well. */
function numberOf(typed: string): number {
  return Number(typed.trim().replace(',', '.'))
}
