import { z } from 'zod'
import { BucketUnavailable } from '../files/hosted-file.ts'
import { ProofFailure } from '../files/proof.ts'
import { ReleaseHealth } from '../health/health.ts'
import { StopReason } from '../health/judgement.ts'
import {
  AppRef,
  Arch,
  ArtifactKind,
  ChannelName,
  Platform,
  RELEASE_NAMES,
  RolloutPct,
  Timestamp,
  Version,
} from '../names.ts'
import { UsedBudget } from '../operation/budgets.ts'
import { StorageProblem } from '../operation/storage-problem.ts'
import { Plan } from '../plans/plan.ts'
import { PlanNext, PlanStatus } from '../plans/plan-state.ts'
import { ReleaseStatus } from '../releases/release.ts'

/** A release that devices are being offered now. */
export const LiveRelease = z.strictObject({
  version: Version,
  status: ReleaseStatus,
  rolloutPct: RolloutPct,
  targeted: z.boolean(),
  /** Devices seen in the last 7 times 24 hours that run it. */
  devices: z.int(),
  /** Share of the channel's devices seen in that time that run it, 0 to 1; null without devices. */
  adoption: z.number().nullable(),
  /** What became of the devices that were offered it, while it is rolled out; null for others, and without offers. */
  health: ReleaseHealth.nullable(),
})
export type LiveRelease = z.infer<typeof LiveRelease>

export const ChannelOverview = z.strictObject({
  name: ChannelName,
  /** Releases of the channel, whatever their status. */
  releases: z.int(),
  /**
   * Releases that are offered now, newest first, down to the first at 100% without targets: what is
   * below that reaches no device on the way up.
   */
  live: z.array(LiveRelease),
  devices: z.int(),
  /** Devices whose last check-in was at most 24 hours ago, and at most 7 times 24 hours. */
  seenLast24Hours: z.int(),
  seenLast7Days: z.int(),
  /** Share of the devices seen in 7 days that run a live release, 0 to 1: none of them waits for a release that it could have. */
  shareUpToDate: z.number().nullable(),
  checkInsLast24Hours: z.int(),
})
export type ChannelOverview = z.infer<typeof ChannelOverview>

/** Maximum number of things that need attention, of each kind. */
export const MAX_ATTENTION = 20

/**
 * What needs attention, of apps that are not archived:
 *
 * - `withdrawn`: a paused or rolled-back release that devices seen in the last 7 days run
 * - `silent`: a channel that serves a release and has known devices, none of them seen in the last 7 days
 *
 * - `failing`: a release that failed on too many devices
 *
 * `devices`: those seen in 7 days that run the release; known devices of the channel.
 */
export const Attention = z.strictObject({
  /** Most devices first, at most `MAX_ATTENTION`. */
  withdrawn: z.array(
    z.strictObject({
      ...RELEASE_NAMES,
      status: ReleaseStatus.extract(['paused', 'rolled_back']),
      devices: z.int(),
    }),
  ),
  moreWithdrawn: z.int(),
  silent: z.array(z.strictObject({ app: AppRef, channel: ChannelName, devices: z.int() })),
  moreSilent: z.int(),
  /** Those that the server stopped first, the last one at the beginning. */
  failing: z.array(
    z.strictObject({
      ...RELEASE_NAMES,
      status: ReleaseStatus,
      reasons: z.array(StopReason),
      health: ReleaseHealth,
      /** When its plan was stopped, also if it was resumed since; null for a release that no plan is responsible for, which is served. */
      stoppedAt: Timestamp.nullable(),
      /** Whether its plan runs, and applies no step for a day because of failures. The reason is then what suspects it. */
      isHeld: z.boolean(),
    }),
  ),
  moreFailing: z.int(),
  /** Artifacts of live releases, or of those that wait for their proof, that fail it; longest first. */
  artifacts: z.array(
    z.strictObject({
      ...RELEASE_NAMES,
      platform: Platform,
      arch: Arch,
      kind: ArtifactKind,
      failure: ProofFailure,
      since: Timestamp,
    }),
  ),
  moreArtifacts: z.int(),
  /** Whether the schedule of proofs cannot be carried out; false for those who have no role on the server. */
  provingFailed: z.boolean(),
  /** The same for plans. */
  plansFailed: z.boolean(),
  /** The bucket for stored files cannot be used for a while; null if it can, and for those as above. */
  bucketOutage: z.strictObject({ facts: BucketUnavailable, since: Timestamp }).nullable(),
  /** Nodes that have no lease since a while; 0 without nodes, and for those as above. */
  nodesNotServing: z.int(),
  /** Webhooks whose deliveries fail, and those that nobody disabled by hand; for administrators of the server. */
  webhooks: z.array(z.strictObject({ id: z.string(), name: z.string(), disabled: z.boolean() })),
})
export type Attention = z.infer<typeof Attention>

/** What the first screen shows. */
export const Overview = z.strictObject({
  /** URLs of the server, the one that is configured for devices first. */
  addresses: z.array(z.strictObject({ url: z.url(), reach: z.enum(['this_machine', 'network']) })),
  apps: z.array(
    z.strictObject({
      ref: AppRef,
      name: z.string(),
      archived: z.boolean(),
      channels: z.array(ChannelOverview),
    }),
  ),
  attention: Attention,
  /** Null for those who have no role on the server. */
  telemetry: z.strictObject({ lost: z.int(), failure: StorageProblem.nullable() }).nullable(),
  /** Budgets that refused something within the last hour; none for those who have no role on the server. */
  budgets: z.array(UsedBudget),
})
export type Overview = z.infer<typeof Overview>

/** Something changed: reload what is shown. At most about four per second. */
export const ConsoleEvent = z.strictObject({
  /** Grows by one with every event; a gap means that some were missed. */
  sequence: z.int(),
  changed: z.array(z.enum(['catalog', 'fleet', 'people'])),
})
export type ConsoleEvent = z.infer<typeof ConsoleEvent>

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
