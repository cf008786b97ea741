import type { Plan } from '../../../shared/plan.ts'
import { type PlanPreset, presetPlan } from '../../../shared/plan-presets.ts'
import {
  type PlanDraft,
  type PlanIssues,
  type PlanRead,
  planInForm,
  readPlan,
} from '../editor/draft.ts'
import { ownTimeZone } from '../time-zones.ts'

/** By which plan a release is rolled out: a preset, or one of its own. */
export const PLAN_MODES = ['one-day', 'cautious-week', 'my-machine-first', 'custom'] as const
export type PlanMode = (typeof PLAN_MODES)[number]

/** How a release is rolled out: by a plan, to all devices at once, or as a person raises it. */
export const ROLLOUT_MODES = [...PLAN_MODES, 'everyone', 'manual'] as const
export type RolloutMode = (typeof ROLLOUT_MODES)[number]

/** The plan that is offered to who has not chosen one. */
const USUAL: PlanPreset = 'one-day'

/** How a release is rolled out, in the form. */
export interface RolloutDraft {
  /** Null until somebody chooses. */
  readonly mode: RolloutMode | null
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
  return { mode: null, rolloutPct: 100, custom: planInForm(presetPlan(USUAL, ownTimeZone())) }
}

/**
 * Returns how a release is rolled out if nobody chooses: by a plan, but at once where there are no devices that it could
 * harm, and a percentage of which may leave out the first that is connected. `devices`: known devices of the channel;
 * undefined if that is not known.
 */
export function usualMode(devices: number | undefined): RolloutMode {
  return devices === 0 ? 'everyone' : USUAL
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
  const chosen = mode ?? USUAL
  if (chosen === 'everyone') return { ok: true, rollout: { rolloutPct: 100 } }
  if (chosen === 'manual') return { ok: true, rollout: { rolloutPct } }
  const read = readPlanMode(chosen, custom)
  return read.ok ? { ok: true, rollout: { rolloutPct: 0, plan: read.plan } } : read
}
