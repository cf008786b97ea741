import {
  CONFIRM,
  isConfirmed,
  type SuspectedSince,
  suspectedSince,
} from '../../src/server/judging/confirmation.ts'
import { type Judgement, judge } from '../../src/server/judging/judge.ts'
import { judgeWeighed } from '../../src/server/judging/judge-weighed.ts'
import { failureShare, judgedOf } from '../../src/shared/health.ts'
import { Plan } from '../../src/shared/plan.ts'
import { type Breaks, breaksOf, type Look, simulate } from './rollout.ts'

const HOUR = CONFIRM

/** A way to judge a release at one look. */
export type Judge = (look: Look) => Judgement

/** The defaults of a plan. */
const LIMITS = Plan.parse({ steps: [{ rolloutPct: 100, soakHours: 0 }] })

/** The server with its defaults, if no key vouches for a device. */
export const weighed: Judge = ({ observed, previous, activity }) =>
  judgeWeighed({
    ...{ tallies: observed.tallies, previous: previous.tallies, countsNew: false },
    ...{ accepted: null, activity, limits: LIMITS },
  }).judgement

/** The same if all devices count, as if a key vouched for them. */
export const equalWeights: Judge = ({ observed, previous, activity }) =>
  judge({ observed, accepted: null, previous, activity, limits: LIMITS })

/** The server with its defaults, on a channel with a release before and on one without, and the threshold by itself. */
export const JUDGES = {
  'with a previous release': equalWeights,
  'without a key': weighed,
  'first release': ({ observed, activity }) =>
    judge({ observed, accepted: null, previous: null, activity, limits: LIMITS }),
  'threshold alone': ({ observed: { health } }) =>
    judgedOf(health) >= LIMITS.minSample && failureShare(health) * 100 > LIMITS.maxFailedPct
      ? { verdict: 'stop', reasons: [] }
      : { verdict: 'fine' },
} as const satisfies Record<string, Judge>
export const JUDGE_NAMES = [
  ...(['with a previous release', 'without a key', 'first release', 'threshold alone'] as const),
]
export type JudgeName = (typeof JUDGE_NAMES)[number]

/** What became of one rollout. */
export interface Outcome {
  readonly breaks: Breaks
  /** Devices that a fixed schedule harms. */
  readonly harmed: number
  /** When each judge stopped it, in hours, and the devices harmed until then; undefined if it did not. */
  readonly stops: Readonly<Record<JudgeName, Stop | undefined>>
}

export interface Stop {
  readonly age: number
  readonly harmed: number
}

/** Simulates one rollout and judges it every hour. `share` (0 to 1): of devices that it breaks. `judges`: those that are asked. */
export function outcomeOf(
  seed: number,
  share: number,
  judges: readonly JudgeName[] = JUDGE_NAMES,
): Outcome {
  const since = new Map<JudgeName, SuspectedSince>()
  const stops: Record<JudgeName, Stop | undefined> = {
    'with a previous release': undefined,
    'without a key': undefined,
    'first release': undefined,
    'threshold alone': undefined,
  }
  let harmed = 0
  simulate(seed, share, (look) => {
    harmed = look.harmed
    for (const name of judges) {
      if (stops[name] !== undefined) continue
      const now = look.age * HOUR
      const suspected = suspectedSince(since.get(name) ?? null, JUDGES[name](look), now)
      since.set(name, suspected)
      if (isConfirmed(suspected, now)) stops[name] = { age: look.age, harmed }
    }
  })
  return { breaks: breaksOf(seed), harmed, stops }
}

/** What many rollouts of a kind add up to. */
export interface Summary {
  readonly rollouts: number
  readonly stopped: number
  /** Median hours from the publication to the stop, of those that were stopped; null if none was. */
  readonly hours: number | null
  /** Devices harmed in all rollouts together. */
  readonly harmed: number
  readonly harmedBySchedule: number
}

export function summarize(outcomes: readonly Outcome[], name: JudgeName): Summary {
  const stops = outcomes.flatMap(({ stops }) => stops[name] ?? [])
  const ages = stops.map(({ age }) => age).sort((one, other) => one - other)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  return {
    rollouts: outcomes.length,
    stopped: stops.length,
    hours: ages[Math.floor(ages.length / 2)] ?? null,
    harmed: sum(outcomes.map((each) => each.stops[name]?.harmed ?? each.harmed)),
    harmedBySchedule: sum(outcomes.map(({ harmed }) => harmed)),
  }
}
