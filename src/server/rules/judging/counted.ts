import { judgedOf, type ReleaseHealth } from '../../../shared/health/health.ts'

/** What is known of a release when it is judged. */
export interface Observed {
  readonly health: ReleaseHealth
  /** Devices that were stuck, and then adopted it. */
  readonly recovered: number
  /** Devices that adopted it more than six hours after they were offered it. */
  readonly slow: number
  /** Of those that wait, devices that are silent soon unless they check in. */
  readonly late: number
}

/** What was observed when a person accepted it: earlier versions did not know which devices were late. */
export type AcceptedObserved = Omit<Observed, 'late'> & Partial<Pick<Observed, 'late'>>

/** How many devices of a channel were seen in the last 24 hours, and how many usually are. */
export interface Activity {
  readonly seen: number
  readonly usual: number
}

/** The devices on which a release is judged. */
export interface Counted {
  readonly stuck: number
  /** Reverted or reported. */
  readonly broken: number
  /** Beyond those that a holiday explains. */
  readonly silent: number
  readonly adopted: number
  readonly late: number
  /** All that were offered the release. */
  readonly offered: number
}

/** Returns what came after `accepted`, with which a person resumed the release. */
export function observedSince(observed: Observed, accepted: AcceptedObserved | null): Observed {
  if (accepted === null) return observed
  const since = (now: number, then: number) => Math.max(0, now - then)
  const state = (name: keyof ReleaseHealth) => since(observed.health[name], accepted.health[name])
  return {
    health: {
      offered: state('offered'),
      waiting: state('waiting'),
      adopted: state('adopted'),
      stuck: state('stuck'),
      reverted: state('reverted'),
      silent: state('silent'),
      reported: state('reported'),
    },
    recovered: since(observed.recovered, accepted.recovered),
    slow: since(observed.slow, accepted.slow),
    late: since(observed.late, accepted.late ?? 0),
  }
}

/**
 * Returns the devices that a release is judged on. `activity`: null beside a control. On a holiday devices are silent whatever they were offered: of the
 * silent ones, as many are left out as the share of the channel's other devices that are missing explains.
 */
export function countedOf(
  { health, late }: Pick<Observed, 'health' | 'late'>,
  activity: Activity | null,
): Counted {
  const { adopted, stuck, reverted, silent, reported } = health
  const explained = Math.ceil(missingShare(activity, silent) * judgedOf(health))
  return {
    ...{ adopted, stuck, late, broken: reverted + reported },
    ...{ silent: Math.max(0, silent - explained), offered: judgedOf(health) + health.waiting },
  }
}

/** The share (0 to 1) of a channel's devices that are missing, without those that the release may have silenced. */
function missingShare(activity: Activity | null, silent: number): number {
  if (activity === null) return 0
  const expected = activity.usual - silent
  return expected <= 0 ? 0 : Math.max(0, 1 - activity.seen / expected)
}
