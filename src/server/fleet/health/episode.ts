import { HEALTH_STATES, type HealthState } from '../../../shared/health/health-states.ts'

/**
 * Where a device stands with the release that it was last offered. Stored numbers, never renumbered. A device that
 * is `WAITING` falls silent by the clock alone, so that is no phase.
 */
export const NONE = 0
export const WAITING = 1
export const ADOPTED = 2
export const STUCK = 3
export const REVERTED = 4
export const REPORTED = 6
export type Phase =
  | typeof NONE
  | typeof WAITING
  | typeof ADOPTED
  | typeof STUCK
  | typeof REVERTED
  | typeof REPORTED

/** Offers after which a device can be stuck. No more are counted. */
const STUCK_OFFERS = 3
/** Seconds since the first offer after which it can be. */
const STUCK_AFTER = 86_400

/** What a device does with one release, from the first offer on. */
export interface Episode {
  /** The number of the release; 0 for none. */
  readonly release: number
  readonly phase: Phase
  /** Offers so far, at most `STUCK_OFFERS`. */
  readonly offers: number
  /** Unix time in seconds of the first offer. */
  readonly offeredAt: number
}

export const NO_EPISODE: Episode = { release: 0, phase: NONE, offers: 0, offeredAt: 0 }

/** What a check-in tells about a device and the release of its episode. */
export interface Sighting {
  /** Unix time in seconds. */
  readonly at: number
  /**
   * How the version that runs compares with the release, if it changed:
   * - `on`: it is that of the release or above
   * - `fell`: it is below, and the one before was not
   * - `elsewhere`: the device is on another channel
   */
  readonly moved: 'on' | 'fell' | 'elsewhere' | null
  /** The number of the release that it was offered as an update; 0 for none. */
  readonly offered: number
  /** True if the server told it to go back to a lower version. */
  readonly isSentBack: boolean
  /** True if it was not offered the release of its episode because that was rolled back. */
  readonly isRolledBack: boolean
  /** What the app reported of the release. */
  readonly outcome: 'ok' | 'failed' | null
}

/** An episode after a check-in. */
export interface Transition {
  readonly after: Episode
  /** Seconds from the first offer to the adoption that this check-in shows; null if it shows none. */
  readonly took: number | null
  /** True if the device had adopted the release, and now begins an episode of another one. */
  readonly passed: boolean
}

/**
 * Returns what an episode becomes with a check-in. A release is adopted when the device is seen on it. It is stuck at
 * the third offer or later, a day after the first or later. Another release ends the episode, and so does a rollback,
 * except that failures of a release that was rolled back stay.
 */
export function advance(before: Episode, sighting: Sighting): Transition {
  const { at, moved, offered, isSentBack, isRolledBack, outcome } = sighting
  let phase = moved === 'elsewhere' ? NONE : before.phase
  if (moved === 'on' && phase !== NONE) phase = ADOPTED
  if (moved === 'fell' && phase === ADOPTED) phase = isRolledBack ? NONE : REVERTED
  if (outcome !== null && phase !== NONE) phase = afterOutcome(phase, outcome)
  const isAdopted = phase === ADOPTED && before.phase !== ADOPTED && before.phase !== REVERTED
  const took = isAdopted ? Math.max(0, at - before.offeredAt) : null
  if (isSentBack || (phase === WAITING && isRolledBack)) phase = NONE
  if (offered !== 0 && (offered !== before.release || phase === NONE)) {
    const after: Episode = { release: offered, phase: WAITING, offers: 1, offeredAt: at }
    return { after, took, passed: phase === ADOPTED }
  }
  if (phase === NONE) return { after: NO_EPISODE, took, passed: false }
  const offers = offered === 0 ? before.offers : oneMoreOffer(before.offers)
  if (offered !== 0) phase = offeredAgain(phase, offers, at - before.offeredAt)
  return { after: { ...before, phase, offers }, took, passed: false }
}

/** Returns the offers that are counted after one more. */
export function oneMoreOffer(offers: number): number {
  return Math.min(STUCK_OFFERS, offers + 1)
}

/** Returns the phase of a device that is offered the release again, `age` seconds after the first offer. */
export function offeredAgain(phase: Phase, offers: number, age: number): Phase {
  return phase === WAITING && offers === STUCK_OFFERS && age >= STUCK_AFTER ? STUCK : phase
}

/** A device that is below the release again has failed, whatever it reports of a failure. */
function afterOutcome(phase: Phase, outcome: 'ok' | 'failed'): Phase {
  if (outcome === 'ok') return ADOPTED
  return phase === REVERTED ? REVERTED : REPORTED
}

/** Phases and states have the same numbers: a state is named in the order of the phases, from 1. */
export const PHASES = HEALTH_STATES.length + 1

/** Returns the number of a state. That of `silent` is no device's phase. */
export function phaseOfState(state: HealthState): number {
  return HEALTH_STATES.indexOf(state) + 1
}

/** Returns the state that a phase is, regardless of the time; null without an episode. */
export function stateOf(phase: Phase): HealthState | null {
  return phase === NONE ? null : (HEALTH_STATES[phase - 1] ?? null)
}
