import { z } from 'zod'
import { UsedBudget } from '../budgets.ts'
import { AppRef, ChannelName, Version } from '../names.ts'
import { ReleaseStatus, RolloutPct } from '../release.ts'
import { StorageProblem } from '../storage-problem.ts'

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
  /** Share of the devices seen in 7 days that run the newest live release, 0 to 1. */
  shareOnNewest: z.number().nullable(),
  checkInsLast24Hours: z.int(),
})
export type ChannelOverview = z.infer<typeof ChannelOverview>

/** What the first screen shows. */
export const Overview = z.strictObject({
  /** Addresses under which the server can be reached, this machine's own first. */
  addresses: z.array(z.strictObject({ url: z.url(), reach: z.enum(['this_machine', 'network']) })),
  apps: z.array(
    z.strictObject({
      ref: AppRef,
      name: z.string(),
      archived: z.boolean(),
      channels: z.array(ChannelOverview),
    }),
  ),
  telemetry: z.strictObject({ lost: z.int(), failure: StorageProblem.nullable() }),
  /** Budgets that refused something within the last hour. */
  budgets: z.array(UsedBudget),
})
export type Overview = z.infer<typeof Overview>

/** Something changed; whoever shows it asks again. At most about four a second. */
export const ConsoleEvent = z.strictObject({
  /** Grows by one with every event; a gap means that some were missed. */
  sequence: z.int(),
  changed: z.array(z.enum(['catalog', 'fleet'])),
})
export type ConsoleEvent = z.infer<typeof ConsoleEvent>
