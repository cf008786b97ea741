import { z } from 'zod'
import { RELEASE_NAMES, Timestamp, Version } from '../names.ts'
import { validInterval } from './always-valid.ts'
import { FAILURES } from './health-states.ts'
import { MeasuredFailures, NetworkShare } from './judgement.ts'
import { SessionHealth } from './sessions.ts'

export {
  FAILURES,
  type Failure,
  HEALTH_STATES,
  type HealthState,
  NO_HEALTH,
} from './health-states.ts'

const devices = z.int().min(0)

/**
 * What became of the devices that were offered a release. Each device counts in one member besides `offered`, which is
 * their sum. A device that was offered another release before it adopted this one, or whose offer was taken back, counts in
 * none.
 */
export const ReleaseHealth = z
  .strictObject({
    offered: devices.meta({ description: 'Devices that were offered the release' }),
    waiting: devices.meta({ description: 'Offered, and neither on it nor failed yet' }),
    adopted: devices.meta({ description: 'Seen on the release or above after the offer' }),
    stuck: devices.meta({
      description: 'Offered at least 3 times over at least 24 hours, and still below',
    }),
    reverted: devices.meta({
      description: 'Was on the release and is below it again, without a roll-back',
    }),
    silent: devices.meta({
      description:
        'Offered, and then not seen for three times its own usual interval, at least 48 hours',
    }),
    reported: devices.meta({ description: 'The app itself reported that it failed' }),
  })
  .meta({ id: 'ReleaseHealth' })
export type ReleaseHealth = z.infer<typeof ReleaseHealth>

/** What an app reports of an update: that it runs, or that it could not be installed. */
export const Outcome = z.enum(['ok', 'failed']).meta({ id: 'Outcome' })
export type Outcome = z.infer<typeof Outcome>

/** Milliseconds from the first offer to the first check-in on the release or above; null if no device adopted it. */
export interface AdoptionTime {
  readonly median: number
  readonly p90: number
}

/** Devices that failed. */
export function failedOf(health: ReleaseHealth): number {
  return FAILURES.reduce((sum, failure) => sum + health[failure], 0)
}

/** Devices whose outcome is known: the sample on which a release is judged. */
export function judgedOf(health: ReleaseHealth): number {
  return health.adopted + failedOf(health)
}

/** The failure share (0 to 1) of which a release can be accused, however often one looks: the lower bound for those judged. */
export function failureShare(health: ReleaseHealth): number {
  return validInterval(failedOf(health), judgedOf(health)).low
}

/** What became of the devices that were offered a release, beside the release before it. */
export const ReleaseHealthReport = z
  .strictObject({
    ...RELEASE_NAMES,
    firstOfferedAt: Timestamp.nullable().meta({
      description: 'When the first device was offered the release; null if none was',
    }),
    health: ReleaseHealth,
    counted: ReleaseHealth.meta({
      description:
        'Those that count toward the stops and gates of a plan: of each network no more than of others',
    }),
    newDevices: ReleaseHealth.meta({
      description:
        'Those that anyone can have invented: not known before the release was first offered or seen on one day only, and no key vouches for them',
    }),
    networks: NetworkShare,
    movedOn: devices.meta({
      description:
        'Of the adopted devices, those that were offered another release since. Lists of devices by their last offer do not have them',
    }),
    failureShare: z.number().min(0).max(1).meta({
      description:
        'Lower bound of the share of failures among devices whose outcome is known, at 95% confidence however often one looks',
    }),
    verdict: MeasuredFailures.meta({
      description:
        'What counts toward the stops of the plan, or of one with the defaults: failures beside the limit, since a person resumed it after a stop. All silent devices count, as if it were no holiday',
    }),
    timeToAdopt: z.strictObject({ medianSeconds: devices, p90Seconds: devices }).nullable().meta({
      description:
        'From the first offer to the first check-in on the release or above, exact to a tenth; null without adoptions',
    }),
    sessions: SessionHealth.nullable().meta({
      description:
        'Sessions of apps that run the version, whatever their channel; null without any',
    }),
    previous: z
      .strictObject({
        version: Version,
        ageHours: devices.meta({ description: 'Whole hours since the first offer' }),
        health: ReleaseHealth,
      })
      .nullable()
      .meta({
        description:
          'The previous release when it was as old as this one is now: the highest lower release of the channel that is published and was offered earlier; null if that is not known',
      }),
  })
  .meta({ id: 'ReleaseHealthReport' })
export type ReleaseHealthReport = z.infer<typeof ReleaseHealthReport>

export const ReleaseHealthAnswer = z
  .strictObject({ health: ReleaseHealthReport })
  .meta({ id: 'ReleaseHealthAnswer' })

/** Longest description of an outcome, in characters. */
const MAX_OUTCOME_DETAIL = 500

const DETAIL = `must be at most ${MAX_OUTCOME_DETAIL} characters without control characters`

/** What an app reports of an update that it was offered. */
export const OutcomeBody = z
  .strictObject({
    version: Version.meta({ description: 'The version of the update' }),
    outcome: Outcome.meta({
      description: '`ok`: the version runs. `failed`: it could not be installed, or does not work',
    }),
    detail: z
      .string()
      .max(MAX_OUTCOME_DETAIL, DETAIL)
      .refine((text) => !/\p{Cc}/u.test(text), DETAIL)
      .default('')
      .meta({
        description:
          'Why, such as an error message; without control characters. Do not send personal data',
      }),
  })
  .meta({ id: 'OutcomeBody' })
export type OutcomeBody = z.infer<typeof OutcomeBody>
