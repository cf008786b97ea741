import { z } from 'zod'
import { StopReason } from '../health/judgement.ts'
import { Timestamp } from '../names.ts'
import { WARNED } from '../releases/preflight-policy.ts'
import { CheckReading } from './gate-check.ts'
import { Plan } from './plan.ts'

/** `running` applies steps; `suspended` waits for a person after a change by hand; `stopped` by its failures. */
export const PlanStatus = z.enum(['running', 'suspended', 'stopped', 'finished'])
export type PlanStatus = z.infer<typeof PlanStatus>

/**
 * Why a plan is suspended or stopped:
 * - `changed`: somebody changed by hand how the release is served
 * - `requested`: somebody suspended the plan
 * - `restored`: a backup was restored, so that the server may have applied steps that it does not know
 * - `refused`: a step was not allowed, because the state of the release or the channel had changed
 * - `failures`: the release failed on too many devices
 * - `rolled_back`: somebody rolled the release back
 */
export const PlanReason = z.enum([
  'changed',
  'requested',
  'restored',
  'refused',
  'failures',
  'rolled_back',
])
export type PlanReason = z.infer<typeof PlanReason>

/**
 * What the next step waits for: with `proof`, until the release is proven; with `failures`, until it is clear whether the
 * release fails on too many devices.
 */
export const PlanWait = z.enum(['soak', 'gate', 'window', 'freeze', 'proof', 'failures'])
export type PlanWait = z.infer<typeof PlanWait>

/** What happens next. */
export const PlanNext = z
  .strictObject({
    waitsFor: PlanWait.nullable().meta({
      description: 'What it waits for; null if it is due',
    }),
    at: Timestamp.nullable().meta({
      description:
        'When the next step is applied, or the plan finished, at the earliest; null if that depends on devices or on a person',
    }),
  })
  .meta({ id: 'PlanNext' })
export type PlanNext = z.infer<typeof PlanNext>

/** A plan and where it stands. */
export const PlanState = z
  .strictObject({
    plan: Plan,
    status: PlanStatus,
    reason: PlanReason.nullable().meta({ description: 'Why it is suspended or stopped' }),
    since: Timestamp.meta({ description: 'Since when it has this status' }),
    step: z.int().min(0).meta({ description: 'Steps applied so far' }),
    appliedAt: Timestamp.nullable().meta({ description: 'When the last of them was applied' }),
    next: PlanNext.nullable().meta({ description: 'Null unless the plan is running' }),
    openPct: z.number().min(0).max(100).nullable().meta({
      description:
        'Percentage up to which devices are offered the release while it is suspected: new offers to the others wait; null otherwise',
    }),
    stopReasons: z.array(StopReason).nullable().meta({
      description: 'Why the server stopped it because of failures; null otherwise',
    }),
    readings: z.array(CheckReading).nullable().meta({
      description:
        'What the checks of the current gate found last; null if they were not asked, or not yet',
    }),
    ...WARNED,
  })
  .meta({ id: 'PlanState' })
export type PlanState = z.infer<typeof PlanState>

export const PlanAnswer = z.strictObject({ plan: PlanState }).meta({ id: 'PlanAnswer' })
/** Null for a release without a plan. */
export const PlanOrNoneAnswer = z
  .strictObject({ plan: PlanState.nullable() })
  .meta({ id: 'PlanOrNoneAnswer' })
