import type { Plan } from '../../../../shared/plans/plan.ts'
import { PLAN_PRESETS, type PlanPreset, presetPlan } from '../../../../shared/plans/plan-presets.ts'
import { ownTimeZone } from '../../../components/text/time.ts'
import {
  type PlanDraft,
  type PlanIssues,
  type PlanRead,
  planInForm,
  readPlan,
} from '../editor/draft.ts'

/** By which plan a release is rolled out: a preset, or one of its own. */
export const PLAN_MODES = [...PLAN_PRESETS, 'custom'] as const
export type PlanMode = (typeof PLAN_MODES)[number]

/** How a release is rolled out: by a plan, to all devices at once, or as a person raises it. */
export const ROLLOUT_MODES = [...PLAN_MODES, 'everyone', 'manual'] as const
export type RolloutMode = (typeof ROLLOUT_MODES)[number]

/** Recommended where no preset finds a silent release, also on a channel without devices: thousands can be about to connect. */
export const USUAL_MODE: PlanPreset = 'one-day'
/** Where a rollout by hand starts: it cannot be lowered later. */
const FIRST_PCT = 5

/** How a release is rolled out, in the form. */
export interface RolloutDraft {
  readonly mode: RolloutMode
  /** False for as long as the mode is what is recommended. */
  readonly isChosen: boolean
  /** For `manual`. */
  readonly rolloutPct: number
  /** For `custom`. */
  readonly custom: PlanDraft
}

/** The part of a publish call that says how the release is rolled out. */
interface RolloutOfBody {
  readonly rolloutPct: number
  readonly plan?: Plan
}

type RolloutRead =
  | { readonly ok: true; readonly rollout: RolloutOfBody }
  | { readonly ok: false; readonly issues: PlanIssues }

export function newRollout(): RolloutDraft {
  const custom = planInForm(presetPlan(USUAL_MODE, ownTimeZone()))
  return { mode: USUAL_MODE, isChosen: false, rolloutPct: FIRST_PCT, custom }
}

/** Returns whether a release is rolled out by a plan. */
export function isPlanMode(mode: RolloutMode): mode is PlanMode {
  return PLAN_MODES.some((each) => each === mode)
}

/** Reads the plan of a mode, or finds what is wrong with it. */
export function readPlanMode(mode: PlanMode, custom: PlanDraft): PlanRead {
  return mode === 'custom' ? readPlan(custom) : { ok: true, plan: presetPlan(mode, ownTimeZone()) }
}

/** Reads the form as part of a publish call, or finds what is wrong with its plan. */
export function readRollout({ mode, rolloutPct, custom }: RolloutDraft): RolloutRead {
  if (mode === 'everyone') return { ok: true, rollout: { rolloutPct: 100 } }
  if (mode === 'manual') return { ok: true, rollout: { rolloutPct } }
  const read = readPlanMode(mode, custom)
  return read.ok ? { ok: true, rollout: { rolloutPct: 0, plan: read.plan } } : read
}
