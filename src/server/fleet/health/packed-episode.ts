import type { Phase } from './episode.ts'
import { FIRST_INTERVAL } from './usual-interval.ts'

const OFFERS_SHIFT = 3
const INTERVAL_SHIFT = 5
/** A device's progress fits below this: 22 bits of seconds are 48 days. */
const RELEASE = 2 ** 27
const STAGE = 2 ** INTERVAL_SHIFT

/** Packs phase, offers and usual interval (seconds) into 27 bits. */
export function packProgress(phase: Phase, offers: number, interval: number): number {
  return (interval << INTERVAL_SHIFT) | (offers << OFFERS_SHIFT) | phase
}

export function phaseOf(progress: number): Phase {
  return (progress & 7) as Phase
}

export function offersOf(progress: number): number {
  return (progress >>> OFFERS_SHIFT) & 3
}

/** The usual interval in seconds. A device that was seen once has none yet, and none is stored. */
export function intervalOf(progress: number): number {
  return progress >>> INTERVAL_SHIFT || FIRST_INTERVAL
}

/** Release and progress as the one number that is stored with a device. */
export function packEpisode(release: number, progress: number): number {
  return release * RELEASE + progress
}

export function releaseOf(episode: number): number {
  return Math.floor(episode / RELEASE)
}

export function progressOf(episode: number): number {
  return episode % RELEASE
}

/**
 * Release, phase and offers as the small number that is stored with a check-in, 0 without an episode. The usual interval
 * follows from the times of the check-ins.
 */
export function packStage(release: number, progress: number): number {
  return release * STAGE + (progress & (STAGE - 1))
}

/** The reverse of `packStage`, with the interval of the device after the check-in. */
export function readStage(
  stage: number,
  interval: number,
): { readonly release: number; readonly progress: number } {
  return {
    release: Math.floor(stage / STAGE),
    progress: (interval << INTERVAL_SHIFT) | (stage & (STAGE - 1)),
  }
}
