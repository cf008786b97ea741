import { z } from 'zod'
import { ChannelPlace, LabelValue, Version } from '../names.ts'
import { CrashFreeCheck, PrometheusCheck, SentryCheck } from './gate-check.ts'
import { TimeZone } from './time-zone.ts'

/** Most steps of a plan. */
const MAX_STEPS = 20
/** Longest soak time of a step: 30 days. */
const MAX_SOAK_HOURS = 720

const share = z
  .number()
  .min(0, 'must be a percentage from 0 to 100')
  .max(100, 'must be a percentage from 0 to 100')

/** What has to hold before the step after this one is applied. Whatever is left out is not asked. */
export const PlanGate = z
  .strictObject({
    minAdoptedPct: share.optional().meta({
      description: 'Least share of the offered devices that adopted the release',
    }),
    maxFailedPct: share.optional().meta({
      description:
        'Most failures, in percent: the upper bound of the failed share, which is valid however often one looks. Too few devices to show it (docs/plans.md) never open a gate',
    }),
    minSample: z.int().min(1).max(1_000_000).optional().meta({
      description: 'Least number of devices that adopted the release or failed',
    }),
    prometheus: PrometheusCheck.optional(),
    sentry: SentryCheck.optional(),
    crashFree: CrashFreeCheck.optional(),
  })
  .meta({ id: 'PlanGate' })
export type PlanGate = z.infer<typeof PlanGate>

const soak = {
  soakHours: z
    .number()
    .min(0, 'must not be negative')
    .max(MAX_SOAK_HOURS, 'must be at most 720')
    .meta({
      description: 'Hours from this step to the next one, at least. Fractions are allowed',
    }),
  gate: PlanGate.optional(),
}

const RolloutStep = z.strictObject({
  rolloutPct: z
    .int('must be a whole number from 1 to 100')
    .min(1, 'must be a whole number from 1 to 100')
    .max(100, 'must be a whole number from 1 to 100'),
  ...soak,
})

const RingStep = z.strictObject({
  ring: z
    .array(LabelValue.min(1, 'must not be empty'))
    .min(1, 'must name a ring')
    .max(16, 'must name at most 16 rings')
    .meta({
      description:
        'Devices whose label `ring` has one of these values, and those of the steps before',
    }),
  ...soak,
})

/** A step of a plan: who is offered the release from then on, and how long that is watched. */
export const PlanStep = z
  .union([RolloutStep, RingStep], { error: 'must have either rolloutPct or ring' })
  .meta({ id: 'PlanStep' })
export type PlanStep = z.infer<typeof PlanStep>

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const Clock = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time such as 09:30')

/**
 * When steps are applied: on these days, from `from` until before `to`, in the time zone of the plan. With a `to` before
 * `from`, it lasts into the day after each of the days, on which it begins.
 */
export const PlanWindow = z
  .strictObject({
    days: z.array(z.enum(WEEKDAYS)).min(1, 'must name a day').max(7),
    from: Clock.refine((time) => time !== '24:00', 'must be at most 23:59'),
    to: Clock,
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    message: 'must be another time than from',
  })
  .meta({ id: 'PlanWindow' })
export type PlanWindow = z.infer<typeof PlanWindow>

/** What is done when a release fails on too many devices. */
export const FailureAction = z.enum(['pause', 'rollback'])
export type FailureAction = z.infer<typeof FailureAction>

/** How a release is rolled out by itself (docs/plans.md). */
export const Plan = z
  .strictObject({
    steps: z
      .array(PlanStep)
      .min(1, 'must have a step')
      .max(MAX_STEPS, `must have at most ${MAX_STEPS} steps`)
      .check(({ value, issues }) => {
        for (const issue of orderIssues(value)) issues.push({ ...issue, code: 'custom' })
      }),
    windows: z.array(PlanWindow).max(16, 'must have at most 16 windows').default([]).meta({
      description: 'When steps are applied; at any time if empty',
    }),
    timeZone: TimeZone.default('UTC').meta({
      description: 'IANA time zone of the windows',
      examples: ['Europe/Berlin'],
    }),
    maxFailedPct: z
      .number()
      .min(0.1, 'must be 0.1 to 100')
      .max(100, 'must be 0.1 to 100')
      .default(3)
      .meta({
        description:
          'The plan is stopped when failures are above this percentage: the lower bound of their share, which is valid however often one looks, less what is usual for stuck devices (docs/automatic-stop.md)',
      }),
    minSample: z.int().min(1).max(1_000_000).default(20).meta({
      description:
        'Least number of devices that adopted the release or failed before it is stopped',
    }),
    onFailure: FailureAction.default('pause'),
    holdoutPct: z
      .int('must be a whole number from 1 to 5')
      .min(1, 'must be a whole number from 1 to 5')
      .max(5, 'must be a whole number from 1 to 5')
      .optional()
      .meta({
        description:
          'Devices that the last step holds back, in percent, for 14 days: the last step must be at 100%, and the one before below what is left',
      }),
  })
  .check(({ value, issues }) => {
    for (const issue of holdoutIssues(value)) issues.push({ ...issue, code: 'custom' })
  })
  .meta({ id: 'Plan' })
export type Plan = z.infer<typeof Plan>

/** The limits of a plan that sets none. */
export const USUAL_LIMITS: Pick<Plan, 'maxFailedPct' | 'minSample'> = Plan.parse({
  steps: [{ rolloutPct: 100, soakHours: 0 }],
})

/** Names the release of a plan. */
export const PlanPlace = ChannelPlace.extend({ version: Version }).meta({ id: 'PlanPlace' })
export type PlanPlace = z.infer<typeof PlanPlace>

/** Body of a call that sets the plan of a release. */
export const PlanBody = z.strictObject({ ...PlanPlace.shape, plan: Plan }).meta({ id: 'PlanBody' })

type Step = { readonly rolloutPct: number } | { readonly ring: readonly string[] }

/** The steps of a plan. */
interface Steps {
  readonly steps: readonly Step[]
  readonly holdoutPct?: number | undefined
}

/** Returns what keeps a plan from holding devices back. */
function holdoutIssues({ steps, holdoutPct }: Steps) {
  if (holdoutPct === undefined) return []
  const issue = (message: string) => [{ path: ['holdoutPct'], input: holdoutPct, message }]
  const [before, last] = [steps.at(-2), steps.at(-1)]
  if (last === undefined || !('rolloutPct' in last) || last.rolloutPct < 100) {
    return issue('needs a last step at 100%')
  }
  const reached = before !== undefined && 'rolloutPct' in before ? before.rolloutPct : 0
  return reached < 100 - holdoutPct ? [] : issue('must leave more than the step before the last')
}

/** Returns what breaks the order of steps: each must offer the release to more devices than the one before. */
function orderIssues(steps: Steps['steps']) {
  const rings = new Set<string>()
  let percentage = 0
  return steps.flatMap((step, index) => {
    const issue = (member: string, message: string) => [
      { path: [index, member], input: step, message },
    ]
    if ('rolloutPct' in step) {
      const isHigher = step.rolloutPct > percentage
      percentage = step.rolloutPct
      return isHigher ? [] : issue('rolloutPct', 'must be above that of the step before')
    }
    if (percentage > 0) return issue('ring', 'must come before the steps with a percentage')
    const known = rings.size
    for (const ring of step.ring) rings.add(ring)
    return rings.size > known ? [] : issue('ring', 'must add a ring to those of the steps before')
  })
}
