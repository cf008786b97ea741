import { z } from 'zod'
import { type RefusalOf, type Refusals, refusal } from '../refusal-kind.ts'
import { PlanStatus } from './plan-state.ts'

const path = z.array(z.string())
const release = { app: z.string(), channel: z.string(), version: z.string() }

/** The refusals about plans and freezes. */
export const PLAN_REFUSALS = {
  unknown: [refusal('unknown_plan', release)],
  invalid: [
    /** A release that is published with a plan begins at 0%. */
    refusal('plan_with_rollout', { path }),
    /** The targets of the release do not include a ring of the plan. */
    refusal('ring_not_targeted', { path, ring: z.string() }),
  ],
  invariant: [
    /** The release is served to all devices that the plan reaches. */
    refusal('plan_done', { path }),
    /** The release is served to devices that the step does not reach. */
    refusal('plan_narrows', { path }),
    /** A ring that is not on the early access list of the channel, while the rollout is below 100%. */
    refusal('ring_not_early', {
      path,
      ring: z.string(),
      rolloutPct: z.int(),
      app: z.string(),
      channel: z.string(),
    }),
    /** Somebody paused the release. */
    refusal('plan_release_paused', { version: z.string() }),
    /** A plan that is finished or stopped can be neither suspended nor resumed. */
    refusal('plan_ended', { version: z.string(), status: PlanStatus }),
    /** Whom the plan would reach next is not known, because its targets were changed while it was at a ring. */
    refusal('plan_targets_changed', { version: z.string() }),
    /** A form was filled in with earlier freezes of the app. */
    refusal('freezes_changed', { app: z.string() }),
  ],
} as const satisfies Refusals
export type PlanRefusal = RefusalOf<typeof PLAN_REFUSALS>
