import { type Arms, controlIn } from '../../src/server/rules/judging/control.ts'
import { goneReason, lookAtAge } from '../../src/server/rules/judging/gone.ts'
import { gatedHealth, type Judgement, judge } from '../../src/server/rules/judging/judge.ts'
import { judgeWeighed } from '../../src/server/rules/judging/judge-weighed.ts'
import type { PlanVerdict } from '../../src/server/use-cases/plans/plan-runner.ts'
import { Plan } from '../../src/shared/plans/plan.ts'
import { gateConditions } from '../../src/shared/plans/plan-gate.ts'
import {
  type Breaks,
  breaksOf,
  type Judge,
  type Look,
  simulate,
  WATCHED,
  type Watched,
} from './rollout.ts'

/** The defaults of a plan. */
export const LIMITS = Plan.parse({ steps: [{ rolloutPct: 100, soakHours: 0 }] })

const VERDICTS: Readonly<Record<Judgement['verdict'], PlanVerdict>> = {
  ...{ fine: 'fine', not_enough: 'fine', suspected: 'suspected', stop: 'stopped' },
}

/** The server with its defaults, if no key vouches for a device. */
export const weighed: Judge = ({ weighed: observed, previous, activity, armsByNetwork, age }) => {
  const { judgement } = judgeWeighed({
    ...{ tallies: observed.tallies, previous: previous.tallies, countsNew: false },
    ...{ accepted: null, activity, limits: LIMITS, ...besideOf(armsByNetwork, age, observed) },
  })
  return VERDICTS[judgement.verdict]
}

/** The same if all devices count, as if a key vouched for them. */
export const equalWeights: Judge = (look) => judged(look, look.previous, look.arms)

function judged(
  { observed, activity, age }: Look,
  previous: Look['previous'] | null,
  arms: Arms | null,
): PlanVerdict {
  const { control, gone } = besideOf(arms, age, observed)
  if (gone !== null && goneReason(gone, LIMITS) !== null) return 'stopped'
  const compared = { accepted: null, previous, control, activity, limits: LIMITS }
  return VERDICTS[judge({ observed, ...compared }).verdict]
}

/** What the server counts beside a release. */
function besideOf(arms: Arms | null, age: number, { health }: Look['observed']) {
  const isNeeded = health.silent + health.reverted > 0
  const number = lookAtAge(age)
  return {
    control: isNeeded && arms !== null ? controlIn(arms) : null,
    gone: arms === null || number === null ? null : { number, arms },
  }
}

/** The server with its defaults, on a channel with a release before and on one without, and with gates of the same limit. */
export const JUDGES = {
  'with a previous release': equalWeights,
  'without a key': weighed,
  'first release': (look) => judged(look, null, look.arms),
  /** Silence is explained by how many devices are there, as it was before there was a control. */
  'without a control': (look) => judged(look, look.previous, null),
  /** Suspicion holds the next step only, as it did before offers waited. */
  'steps wait': (look) => {
    const verdict = equalWeights(look)
    return verdict === 'suspected' ? 'waits' : verdict
  },
  'with gates': (look) => {
    const verdict = equalWeights(look)
    if (verdict !== 'fine') return verdict
    const health = gatedHealth(look.observed, look.previous)
    const gate = { maxFailedPct: LIMITS.maxFailedPct }
    const isHeld = gateConditions(gate, health).some(({ isMet }) => !isMet)
    return isHeld ? 'waits' : 'fine'
  },
} as const satisfies Record<string, Judge>
export type JudgeName = keyof typeof JUDGES
export const JUDGE_NAMES = Object.keys(JUDGES) as JudgeName[]

/** What became of one rollout. */
export interface Outcome {
  readonly breaks: Breaks
  /** Devices that a fixed schedule harms. */
  readonly harmed: number
  readonly judged: Readonly<Partial<Record<JudgeName, Judged>>>
}

/** What became of it with a judge. */
export interface Judged {
  /** When it was stopped, in hours; null if it was not. */
  readonly stoppedAt: number | null
  /** Whether the last look held the next step back. */
  readonly isHeld: boolean
  /** Whether a step after the first was applied. */
  readonly isAdvanced: boolean
  /** When all devices were offered the release, in hours; null if they were not. */
  readonly completeAt: number | null
  readonly harmed: number
}

/** Simulates one rollout and judges it every hour. `share` (0 to 1): of devices that it breaks. `judges`: those that are asked. */
export function outcomeOf(
  seed: number,
  share: number,
  names: readonly JudgeName[] = JUDGE_NAMES,
  watched: Watched = {},
): Outcome {
  const watchers = names.map((name) => new Watcher(JUDGES[name]))
  // Nobody watches the last one.
  const judges = [...watchers.map(({ judge }) => judge), () => 'fine' as const]
  const harmed = simulate(seed, share, judges, watched)
  const judged = names.map((name, index) => {
    return [name, { ...watchers[index]?.seen, harmed: harmed[index] ?? 0 }]
  })
  return { breaks: breaksOf(seed), harmed: harmed.at(-1) ?? 0, judged: Object.fromEntries(judged) }
}

/** Remembers what a judge has said of a rollout. */
class Watcher {
  readonly judge: Judge
  seen: Omit<Judged, 'harmed'> = {
    ...{ stoppedAt: null, isHeld: false, isAdvanced: false, completeAt: null },
  }
  #first: number | undefined

  constructor(judge: Judge) {
    this.judge = (look) => {
      const { age, rolloutPct } = look
      this.#first ??= rolloutPct
      const verdict = judge(look)
      const isHeld = verdict === 'suspected' || verdict === 'waits'
      const isComplete = rolloutPct === 100 && verdict !== 'suspected'
      this.seen = {
        stoppedAt: verdict === 'stopped' ? age : null,
        isHeld,
        isAdvanced: rolloutPct > this.#first,
        completeAt: this.seen.completeAt ?? (isComplete ? age : null),
      }
      return verdict
    }
  }
}

/** What many rollouts of a kind add up to. */
export interface Summary {
  readonly rollouts: number
  readonly stopped: number
  /** Not stopped, and held back at the end. */
  readonly held: number
  readonly advanced: number
  /** Median hours from the publication to the stop, of those that were stopped; null if none was. */
  readonly hours: number | null
  /** The same until all devices were offered the release. */
  readonly complete: number | null
  /** The mean of that; two weeks for those in which not all were, and were not stopped. */
  readonly meanComplete: number | null
  /** Devices harmed in all rollouts together. */
  readonly harmed: number
  readonly harmedBySchedule: number
}

export function summarize(outcomes: readonly Outcome[], name: JudgeName): Summary {
  const judged = outcomes.flatMap(({ judged }) => judged[name] ?? [])
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  return {
    rollouts: outcomes.length,
    stopped: judged.filter(({ stoppedAt }) => stoppedAt !== null).length,
    held: judged.filter(({ isHeld }) => isHeld).length,
    advanced: judged.filter(({ isAdvanced }) => isAdvanced).length,
    hours: median(judged.flatMap(({ stoppedAt }) => stoppedAt ?? [])),
    complete: median(judged.flatMap(({ completeAt }) => completeAt ?? [])),
    meanComplete: mean(
      judged.flatMap(
        ({ stoppedAt, completeAt }) => completeAt ?? (stoppedAt === null ? WATCHED : []),
      ),
    ),
    harmed: sum(judged.map(({ harmed }) => harmed)),
    harmedBySchedule: sum(outcomes.map(({ harmed }) => harmed)),
  }
}

function mean(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null
  return Math.round(numbers.reduce((total, each) => total + each, 0) / numbers.length)
}

function median(numbers: readonly number[]): number | null {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? null
}
