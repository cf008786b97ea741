import { z } from 'zod'
import { AppRef, Timestamp } from '../names.ts'
import { Plan } from '../plans/plan.ts'
import { PlanNext, PlanStatus } from '../plans/plan-state.ts'
import { ChannelOverview, LiveRelease } from './overview.ts'

/** From the page's address: where the wall is read, by the bearer token of its link. */
export const WALL_PATH = 'wall'

/** What comes next in a rollout: the same as `PlanState` has, without reasons and readings. */
const WallPlan = z.strictObject({
  plan: z.strictObject({ steps: Plan.shape.steps, holdoutPct: Plan.shape.holdoutPct }),
  status: PlanStatus,
  step: z.int(),
  next: PlanNext.nullable(),
})

const WallRelease = LiveRelease.extend({
  /** Whether it failed on too many devices. */
  failing: z.boolean(),
  /** Null without one. */
  plan: WallPlan.nullable(),
})
export type WallRelease = z.infer<typeof WallRelease>

const WallChannel = ChannelOverview.pick({
  name: true,
  seenLast7Days: true,
  shareUpToDate: true,
}).extend({ live: z.array(WallRelease) })

/** The version of the server that answers a wall view, of which a page of another version may understand nothing else. */
export const WallServer = z.object({ server: z.string() })

/** What a screen on a wall shows: apps, channels, live releases and counts. No people, addresses or device ids. */
export const Wall = z.strictObject({
  ...WallServer.shape,
  at: Timestamp,
  apps: z.array(z.strictObject({ ref: AppRef, name: z.string(), channels: z.array(WallChannel) })),
})
export type Wall = z.infer<typeof Wall>
