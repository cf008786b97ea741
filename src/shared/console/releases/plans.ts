import { z } from 'zod'
import { ChangeId } from '../../events/audit.ts'
import { ReleaseHealth } from '../../health/health.ts'
import {
  AppRef,
  AppRefOrId,
  ChannelPlace,
  RELEASE_NAMES,
  RolloutPct,
  Timestamp,
  Version,
} from '../../names.ts'
import { Freeze, Freezes } from '../../plans/freeze.ts'
import { Plan, PlanPlace } from '../../plans/plan.ts'
import { PlanState } from '../../plans/plan-state.ts'
import { Artifacts } from '../../releases/release.ts'
import { Targets } from '../../releases/targets.ts'

/** The plan of a release, and what it is judged by. */
export const PlanDetail = z.strictObject({
  /** Null for a release without a plan. */
  plan: PlanState.nullable(),
  health: ReleaseHealth,
  /** The revision of the release, never newer than the rest: send it back as `seenChange`. */
  lastChange: ChangeId,
})
export type PlanDetail = z.infer<typeof PlanDetail>

export const PlanChangeInput = PlanPlace.extend({
  /** The `lastChange` that the change was decided on. */
  seenChange: ChangeId.optional(),
})

export const SetPlanInput = PlanChangeInput.extend({ plan: Plan })

/** A plan that is tried on a release, or on one that is about to be published if there is none of the version. */
export const ForecastInput = ChannelPlace.extend({
  version: Version.optional(),
  /** The plan of the release if it is left out. */
  plan: Plan.optional(),
  /** Those that the release would be published with; left out, every device. A release that exists has its own. */
  targets: Targets.optional(),
})
export type ForecastInput = z.infer<typeof ForecastInput>

/** A step of a plan on the calendar. */
const ForecastStep = z.strictObject({
  /** Of the steps of the plan, from 0. */
  step: z.int(),
  rolloutPct: RolloutPct,
  /** Those that are offered the release from then on; null for all that the release targets. */
  rings: z.array(z.string()).nullable(),
  /** When it is applied at the earliest, if every gate holds; null for never. */
  at: Timestamp.nullable(),
  /** What it takes to exclude that too many devices fail, in a plan that is tried, of a step with a percentage. */
  evidence: z
    .strictObject({
      /** That of the gate, or else of the plan. */
      limitPct: z.number(),
      /** Devices whose outcome must be known, if a third of the limit fails. */
      needed: z.int(),
      /** Known devices of the channel that the step reaches. */
      devices: z.int(),
      /** Hours, if as many of these check in as in the last week; null if they are too few. */
      hours: z.int().nullable(),
      /** Hours, at the earliest, until it is found that a quarter of the devices never comes back; null for two weeks or never. */
      silenceHours: z.int().nullable(),
      /** Null if no gate asks for it. */
      gate: z
        .strictObject({
          /** Devices with which it can open, if none fails: with fewer, it stays closed. */
          opensFrom: z.int(),
          /** The least limit, in whole percent, that so many devices show; null for none. */
          leastPct: z.int().nullable(),
        })
        .nullable(),
    })
    .optional(),
})

export type ForecastStep = z.infer<typeof ForecastStep>

/** A plan laid over the calendar: the steps that are not applied yet. */
export const PlanForecast = z.strictObject({
  steps: z.array(ForecastStep),
  finished: Timestamp.nullable(),
})
export type PlanForecast = z.infer<typeof PlanForecast>

/** For a release that does not exist yet, what it would be published with. */
export const ExpectedInput = z.strictObject({
  ...RELEASE_NAMES,
  plan: Plan,
  release: z.strictObject({ targets: Targets, artifacts: Artifacts }).optional(),
})
export type ExpectedInput = z.infer<typeof ExpectedInput>

/** How many known devices each step of a plan would newly offer the release to, in all until then. */
export const ExpectedEvent = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('progress'), done: z.int(), total: z.int() }),
  z.strictObject({
    type: z.literal('result'),
    /** Known devices of the channel. */
    devices: z.int(),
    /** By step; 0 for those that the release is past. */
    byStep: z.array(z.int()),
    /** Bytes that these devices download in all, of files of a known size. */
    bytesByStep: z.array(z.int()),
  }),
])
export type ExpectedEvent = z.infer<typeof ExpectedEvent>

/** Plans that are not finished, with their windows, and the freezes of their apps. */
export const PlanCalendar = z.strictObject({
  plans: z.array(
    z.strictObject({
      ...RELEASE_NAMES,
      rolloutPct: RolloutPct,
      state: PlanState,
      health: ReleaseHealth,
      /** Null unless it is running. */
      forecast: PlanForecast.nullable(),
    }),
  ),
  /** Of every app that has some. */
  freezes: z.array(z.strictObject({ app: AppRef, freezes: z.array(Freeze) })),
})
export type PlanCalendar = z.infer<typeof PlanCalendar>

export const SetFreezesInput = z.strictObject({
  app: AppRefOrId,
  freezes: Freezes,
  /** The freezes that the change was decided on. */
  seen: Freezes.optional(),
})
