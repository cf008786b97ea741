import { z } from 'zod'
import { validInterval } from './always-valid.ts'

const devices = z.int().min(0)
/** In how many networks devices are that count and that no key vouches for. */
export const NetworkShare = z
  .strictObject({
    offered: devices.meta({ description: 'Networks with devices that count' }),
    failed: devices.meta({
      description: 'Of these, networks in which some are stuck, reverted or reported',
    }),
  })
  .meta({
    id: 'NetworkShare',
    description:
      'Networks of the devices that count and that no key vouches for: /24 of IPv4, /48 of IPv6, in up to 255 groups',
  })
export type NetworkShare = z.infer<typeof NetworkShare>

const percent = z.number().min(0).max(100)

/** Failures among devices whose outcome is known. */
export const FailedShare = z
  .strictObject({
    failed: devices.meta({ description: 'Devices that failed' }),
    judged: devices.meta({ description: 'These, and the devices that adopted the release' }),
    lowPct: percent.meta({
      description: 'Lower bound of the failed share, which is valid however often one looks',
    }),
    highPct: percent.meta({ description: 'The upper bound' }),
  })
  .meta({ id: 'FailedShare' })
export type FailedShare = z.infer<typeof FailedShare>

/** Returns the share of `failed` in `judged` devices, of which neither needs to be whole, with its bounds. */
export function failedShare(failed: number, judged: number): FailedShare {
  const { low, high } = validInterval(failed, judged)
  return {
    ...{ failed: Math.round(failed), judged: Math.round(judged) },
    ...{ lowPct: toPercent(low), highPct: toPercent(high) },
  }
}

/** Returns a share (0 to 1) in percent, to a hundredth. */
export function toPercent(share: number): number {
  return Math.round(Math.min(1, share) * 10_000) / 100
}

const Counts = {
  failed: devices.meta({ description: 'Devices that failed, as far as this reason counts them' }),
  judged: devices.meta({ description: 'These, and the devices that adopted the release' }),
  networks: NetworkShare.optional(),
}

/** Failures beside the limit. */
export const MeasuredFailures = z
  .strictObject({
    ...Counts,
    stuck: devices.meta({
      description: 'How many of the failed devices are stuck; 0 if there are too many without them',
    }),
    failedPct: percent.meta({
      description:
        'Lower bound of the failed share, in percent, which is valid however often one looks',
    }),
    highPct: percent.optional().meta({
      description: 'The upper bound; missing for a stop by an earlier version',
    }),
    limitPct: percent.meta({
      description:
        '`maxFailedPct` of the plan plus `usualPct`, and beside a control the share of its devices that fail alike',
    }),
    usualPct: percent.meta({
      description:
        'Share of devices that take so long to update on this channel that they are stuck for a time, in percent; 0 where stuck devices are not counted',
    }),
    control: FailedShare.optional().meta({
      description:
        'Devices that are not offered the release and would be at 100%: those that reverted or are silent meanwhile; missing if there are too few, if no device is silent or reverted, and for a stop by an earlier version',
    }),
    previous: FailedShare.optional().meta({
      description:
        'The same failures of the previous release; missing if too few of its devices are known, and for a stop by an earlier version',
    }),
  })
  .meta({ id: 'MeasuredFailures' })
export type MeasuredFailures = z.infer<typeof MeasuredFailures>

/** Failures above the threshold of the plan. */
const TooManyFailures = z
  .strictObject({
    code: z.literal('too_many_failures'),
    ...MeasuredFailures.shape,
    gone: devices.optional().meta({
      description:
        'Devices that had not been back a day after they were offered the release or later, if it is stopped for these: then they are the failed ones, and in no other count of failures yet. Missing if it is stopped for others',
    }),
  })
  .meta({ id: 'TooManyFailures' })

/** Failures far above those of the previous release. */
const WorseThanPrevious = z
  .strictObject({
    code: z.literal('worse_than_previous'),
    ...Counts,
    failedPct: percent.meta({
      description: 'Devices that reverted, reported a failure or are silent, in percent',
    }),
    previousPct: percent.meta({ description: 'The same of the previous release' }),
    previousJudged: devices.meta({
      description: 'Devices that the previous release was judged on',
    }),
  })
  .meta({ id: 'WorseThanPrevious' })

/** Why a release is stopped. */
export const StopReason = z
  .discriminatedUnion('code', [TooManyFailures, WorseThanPrevious])
  .meta({ id: 'StopReason' })
export type StopReason = z.infer<typeof StopReason>

/** What a holdout compares. */
export const HOLDOUT_MEASURES = ['silent', 'reverted', 'crashed'] as const
export type HoldoutMeasure = (typeof HOLDOUT_MEASURES)[number]

const Compared = z.strictObject({
  offered: FailedShare.meta({ description: 'Of the devices that were offered the release' }),
  heldBack: FailedShare.meta({ description: 'Of those that were held back' }),
  isWorse: z.boolean().meta({
    description:
      'Whether it is shown, however often one looks, that the share of those that were offered it is larger',
  }),
})
export type Compared = z.infer<typeof Compared>

/**
 * What became of the devices that were offered a release, and of those that its plan held back: silent and reverted devices,
 * and crashed sessions of the release and of the previous one; null without sessions of both.
 */
export const HoldoutResult = z
  .strictObject({ silent: Compared, reverted: Compared, crashed: Compared.nullable() })
  .meta({ id: 'HoldoutResult' })
export type HoldoutResult = z.infer<typeof HoldoutResult>
