import { FAILURES, NO_HEALTH } from '../../../shared/health/health.ts'
import type { MeasuredFailures, StopReason } from '../../../shared/health/judgement.ts'
import type { Observed } from './counted.ts'
import { type GoneLook, goneReason } from './gone.ts'
import {
  type Demands,
  type Evidence,
  type Judgement,
  judge,
  measure,
  TO_CONFIRM,
  TO_STOP,
  TO_SUSPECT,
} from './judge.ts'
import { roundedOf, type WeighedTallies, type WeighedTally } from './tallies.ts'
import { type CountedEvidence, countedEvidence } from './weighed.ts'

/** What a release is judged by when its devices differ in weight. */
export interface WeighedEvidence
  extends Pick<Evidence, 'accepted' | 'activity' | 'control' | 'limits'> {
  readonly tallies: WeighedTallies
  /** See `Evidence.previous`. */
  readonly previous: WeighedTallies | null
  /** The devices that are gone, at the looks at these; null at others. */
  readonly gone: GoneLook | null
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

const NO_TALLY: WeighedTally = { health: NO_HEALTH, recovered: 0, slow: 0, late: 0, networks: [] }
/** The tallies of a release that nothing is known of. */
export const NO_TALLIES: WeighedTallies = {
  ...{ fresh: NO_TALLY, known: NO_TALLY, longKnown: NO_TALLY, keyed: NO_TALLY },
}

/** Returns what counts of a release toward the stops and gates of its plan, beside the previous release. */
export function countedOf({
  tallies,
  previous,
  countsNew,
}: Pick<WeighedEvidence, 'tallies' | 'previous' | 'countsNew'>): CountedEvidence {
  const weights = ({ fresh, known, longKnown }: WeighedTallies) =>
    countsNew ? [fresh, known, longKnown] : [known, longKnown]
  return countedEvidence({
    ...{ tallies: weights(tallies), previous: weights(previous ?? NO_TALLIES) },
    keyed: tallies.keyed,
  })
}

/**
 * Judges a release by the devices that count. It is stopped if these say so, and those without any one network confirm it,
 * with all networks or without one that may hide failures. Pure: docs/health.md and docs/automatic-stop.md have the rules.
 */
export function judgeWeighed(evidence: WeighedEvidence): WeighedJudgement {
  const { tallies } = evidence
  const previous = previousOf(evidence)
  const look = (observed: Observed, demands?: Demands) =>
    judge({ ...evidence, observed, previous }, demands)
  const counted = countedOf(evidence)
  const observed = roundedOf(counted.observed)
  // Nobody knows which of those that are gone a person accepted.
  const isNew = evidence.gone !== null && evidence.accepted === null
  const gone = isNew ? goneReason(evidence.gone, evidence.limits) : null
  const stop = stopOf(counted, look, TO_STOP, TO_CONFIRM) ?? (gone && stopFor(gone))
  if (stop === null) {
    const suspicion = stopOf(counted, look, TO_SUSPECT, { ...TO_SUSPECT, sample: 0 })
    const judgement = suspicion === null ? unstopped(look(counted.observed)) : SUSPECTED
    return { judgement, observed, mayRollBack: false }
  }
  const { networks } = counted
  const reasons =
    networks.offered === 0 ? stop.reasons : stop.reasons.map((reason) => ({ ...reason, networks }))
  const isStopped = (each: Observed) => look(each).verdict === 'stop'
  return {
    judgement: { verdict: 'stop', reasons },
    observed,
    mayRollBack: passesBar(tallies.longKnown, isStopped) || isStopped(tallies.keyed),
  }
}

/** Returns the failures of a release that show most clearly against the limit, whatever the judgement. */
export function measureWeighed(evidence: WeighedEvidence): MeasuredFailures {
  const { observed } = countedOf(evidence)
  return measure({ ...evidence, observed, previous: previousOf(evidence) })
}

function previousOf({ previous, countsNew }: WeighedEvidence): Observed | null {
  return previous && countedOf({ tallies: previous, previous, countsNew }).observed
}

type Look = (observed: Observed, demands?: Demands) => Judgement
type Stop = Judgement & { readonly verdict: 'stop' }

const SUSPECTED: Judgement = { verdict: 'suspected' }
const stopFor = (reason: StopReason): Stop => ({ verdict: 'stop', reasons: [reason] })

/**
 * Returns the judgement by which a release fails too often to those demands, if there is one that no network alone has caused:
 * without any one, it does to those of `rest`.
 */
function stopOf(
  counted: CountedEvidence,
  look: Look,
  demands: Demands,
  rest: Demands,
): Stop | null {
  const confirmed = ({ observed, withoutFailing }: CountedEvidence): Stop | null => {
    const whole = look(observed, demands)
    if (whole.verdict !== 'stop') return null
    const isConfirmed = withoutFailing().every((each) => look(each, rest).verdict === 'stop')
    return isConfirmed ? whole : null
  }
  const whole = confirmed(counted)
  if (whole !== null) return whole
  // No part has more failures than all devices: most releases are done here, and the views take their time.
  if (counted.failed < demands.failed) return null
  for (const unhidden of counted.withoutHiding()) {
    const stop = confirmed(unhidden)
    if (stop !== null) return stop
  }
  return null
}

/** Whether long known devices are enough to roll a release back without a person. */
function passesBar(longKnown: WeighedTally, isStopped: (observed: Observed) => boolean): boolean {
  const devices = { tallies: [longKnown], previous: [], keyed: NO_TALLY }
  const { networks, withoutFailing } = countedEvidence(devices)
  return (
    networks.failed >= ROLLBACK_NETWORKS &&
    withoutFailing().every((rest) => failedNow(rest) >= ROLLBACK_FAILED && isStopped(rest))
  )
}

/** Failures of one network stop nothing, and hold nothing back. */
function unstopped({ verdict }: Judgement): Judgement {
  return { verdict: verdict === 'not_enough' ? verdict : 'fine' }
}

/** Silent devices may return. */
function failedNow({ health }: Observed): number {
  return FAILURES.reduce((sum, failure) => sum + (failure === 'silent' ? 0 : health[failure]), 0)
}
