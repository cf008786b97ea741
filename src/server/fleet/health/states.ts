import { HEALTH_STATES, type HealthState } from '../../../shared/health-states.ts'
import { NONE, type Phase } from './episode.ts'

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
