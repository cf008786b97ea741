import { z } from 'zod'
import { PlanStatus } from './plan.ts'
import type { RefusalKind } from './refusal-kind.ts'

const path = z.array(z.string())
const release = { app: z.string(), channel: z.string(), version: z.string() }

/** The refusals about plans and freezes. */
export const PLAN_REFUSALS = [
  z.strictObject({ code: z.literal('unknown_plan'), ...release }),
  /** A release that is published with a plan begins at 0%. */
  z.strictObject({ code: z.literal('plan_with_rollout'), path }),
  /** The release is served to all devices that the plan reaches. */
  z.strictObject({ code: z.literal('plan_done'), path }),
  /** The release is served to devices that the step does not reach. */
  z.strictObject({ code: z.literal('plan_narrows'), path }),
  /** The targets of the release do not include a ring of the plan. */
  z.strictObject({ code: z.literal('ring_not_targeted'), path, ring: z.string() }),
  /** A ring that is not on the early access list of the channel, while the rollout is below 100%. */
  z.strictObject({
    code: z.literal('ring_not_early'),
    path,
    ring: z.string(),
    rolloutPct: z.int(),
    app: z.string(),
    channel: z.string(),
  }),
  /** Somebody paused the release. */
  z.strictObject({ code: z.literal('plan_release_paused'), version: z.string() }),
  /** A plan that is finished or stopped can be neither suspended nor resumed. */
  z.strictObject({ code: z.literal('plan_ended'), version: z.string(), status: PlanStatus }),
  /** Whom the plan would reach next is not known, because its targets were changed while it was at a ring. */
  z.strictObject({ code: z.literal('plan_targets_changed'), version: z.string() }),
  /** A form was filled in with earlier freezes of the app. */
  z.strictObject({ code: z.literal('freezes_changed'), app: z.string() }),
] as const
export type PlanRefusal = z.infer<(typeof PLAN_REFUSALS)[number]>

/** Their kinds. */
export const PLAN_REFUSAL_KINDS: Readonly<Record<PlanRefusal['code'], RefusalKind>> = {
  unknown_plan: 'unknown',
  plan_with_rollout: 'invalid',
  plan_done: 'invariant',
  plan_narrows: 'invariant',
  ring_not_targeted: 'invalid',
  ring_not_early: 'invariant',
  plan_release_paused: 'invariant',
  plan_ended: 'invariant',
  plan_targets_changed: 'invariant',
  freezes_changed: 'invariant',
}
