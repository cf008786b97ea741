import { FAILURES, NO_HEALTH } from '../../shared/health.ts'
import type { Observed } from './counted.ts'
import { type Evidence, type Judgement, judge } from './judge.ts'
import {
  type CountedEvidence,
  countedEvidence,
  type WeighedTallies,
  type WeighedTally,
} from './weighed.ts'

/** What a release is judged by when its devices differ in weight. */
export interface WeighedEvidence extends Pick<Evidence, 'accepted' | 'activity' | 'limits'> {
  readonly tallies: WeighedTallies
  /** See `Evidence.previous`. */
  readonly previous: WeighedTallies | null
  /** Whether devices count that anyone can have invented: the policy of the channel. */
  readonly countsNew: boolean
}

/** The judgement of one look at a release, and what it counted. */
export interface WeighedJudgement {
  readonly judgement: Judgement
  readonly observed: Observed
  /** Whether it may be rolled back for that without a person, which nobody can undo. */
  readonly mayRollBack: boolean
}

/** Without a key, a release is rolled back for failures on that many long known devices, in that many networks. */
export const ROLLBACK_FAILED = 50
export const ROLLBACK_NETWORKS = 20

const NO_TALLY: WeighedTally = { health: NO_HEALTH, recovered: 0, slow: 0, networks: [] }
/** The tallies of a release that nothing is known of. */
export const NO_TALLIES: WeighedTallies = {
  ...{ fresh: NO_TALLY, known: NO_TALLY, longKnown: NO_TALLY, keyed: NO_TALLY },
}

/** Returns what counts of a release toward the stops and gates of its plan. */
export function countedOf(
  { fresh, known, longKnown, keyed }: WeighedTallies,
  countsNew: boolean,
): CountedEvidence {
  return countedEvidence(countsNew ? [fresh, known, longKnown] : [known, longKnown], keyed)
}

/**
 * Judges a release by the devices that count, with and without the network that has most of the adoptions. It is stopped if
 * one of them says so, and still does without the network that has most of the failures. Pure: docs/automatic-stop.md has the rules.
 */
export function judgeWeighed({
  tallies,
  previous,
  countsNew,
  ...evidence
}: WeighedEvidence): WeighedJudgement {
  const before = previous && countedOf(previous, countsNew).observed
  const look = (observed: Observed) => judge({ ...evidence, observed, previous: before })
  const isStopped = (observed: Observed) => look(observed).verdict === 'stop'
  const counted = countedOf(tallies, countsNew)
  const { observed, networks } = counted
  const judgement =
    stopOf(look(observed), look(counted.withoutWorst)) ??
    stopOf(look(counted.withoutBest), look(counted.withoutBoth)) ??
    unstopped(look(observed))
  if (judgement.verdict !== 'stop') return { judgement, observed, mayRollBack: false }
  const long = countedEvidence([tallies.longKnown])
  const passesBar =
    long.networks.failed >= ROLLBACK_NETWORKS &&
    failedNow(long.withoutWorst) >= ROLLBACK_FAILED &&
    isStopped(long.withoutWorst)
  const reasons =
    networks.offered === 0
      ? judgement.reasons
      : judgement.reasons.map((reason) => ({ ...reason, networks }))
  return {
    judgement: { verdict: 'stop', reasons },
    observed,
    mayRollBack: passesBar || isStopped(tallies.keyed),
  }
}

/** Returns the judgement that stops a release, if both do. */
function stopOf(whole: Judgement, withoutWorst: Judgement): Judgement | null {
  return whole.verdict === 'stop' && withoutWorst.verdict === 'stop' ? whole : null
}

/** Failures of one network stop nothing. */
function unstopped(judgement: Judgement): Judgement {
  return judgement.verdict === 'stop' ? { verdict: 'fine' } : judgement
}

/** Silent devices may return. */
function failedNow({ health }: Observed): number {
  return FAILURES.reduce((sum, failure) => sum + (failure === 'silent' ? 0 : health[failure]), 0)
}
