import {
  ADOPTED,
  type Episode,
  NO_EPISODE,
  NONE,
  type Phase,
  REPORTED,
  REVERTED,
  STUCK,
  WAITING,
} from '../../../src/server/fleet/health/episode.ts'

/** A check-in of one device, with all that its episode can depend on. Versions and releases are numbers from 1. */
export interface Visit {
  /** Unix time in seconds. */
  readonly at: number
  readonly version: number
  /** The release that it was offered, which is above its version; 0 for none. */
  readonly offered: number
  readonly isSentBack: boolean
  /** False for a report, which gets no answer. */
  readonly isDecided: boolean
  readonly outcome: 'ok' | 'failed' | null
  /** Releases that are rolled back by now. */
  readonly rolledBack: ReadonlySet<number>
}

/** The episode after each visit, from a look at all visits up to it. */
export function episodesOf(visits: readonly Visit[]): Episode[] {
  const episodes: Episode[] = []
  for (const index of visits.keys()) episodes.push(episodeAt(visits, index, episodes))
  return episodes
}

/** How often each release was passed, after how many seconds it was adopted, and how often by a stuck device. */
export function adoptionsOf(visits: readonly Visit[]): {
  readonly passed: readonly number[]
  readonly took: readonly (readonly [release: number, seconds: number])[]
  readonly recovered: readonly number[]
} {
  const episodes = episodesOf(visits)
  const passed: number[] = []
  const took: (readonly [number, number])[] = []
  const recovered: number[] = []
  for (const [index, visit] of visits.entries()) {
    const before = episodes[index - 1] ?? NO_EPISODE
    if (before.phase === NONE) continue
    // What the visit shows of the release before it is offered another one.
    const phase = phaseBeforeOffer(visits, index, episodes)
    const isNew = before.phase !== ADOPTED && before.phase !== REVERTED
    if (phase === ADOPTED && isNew) took.push([before.release, visit.at - before.offeredAt])
    if (phase === ADOPTED && before.phase === STUCK) recovered.push(before.release)
    const isOther = visit.offered !== 0 && visit.offered !== before.release
    if (phase === ADOPTED && isOther && !visit.isSentBack) passed.push(before.release)
  }
  return { passed, took, recovered }
}

function episodeAt(visits: readonly Visit[], index: number, before: readonly Episode[]): Episode {
  const visit = visits[index]
  if (visit === undefined) return NO_EPISODE
  const known = before[index - 1] ?? NO_EPISODE
  const phase = known.phase === NONE ? NONE : phaseBeforeOffer(visits, index, before)
  const isTakenBack = visit.isDecided && visit.rolledBack.has(known.release)
  const ends =
    phase === NONE ||
    visit.isSentBack ||
    (phase === WAITING && isTakenBack && visit.offered !== known.release)
  if (visit.offered !== 0 && (ends || visit.offered !== known.release)) {
    return { release: visit.offered, phase: WAITING, offers: 1, offeredAt: visit.at }
  }
  if (ends) return NO_EPISODE
  const begin = beginOf(index, before)
  const offers = visits.slice(begin, index + 1).filter(({ offered }) => offered !== 0)
  const isStuck = offers.some(({ at }, count) => count >= 2 && at - known.offeredAt >= 24 * 3_600)
  return {
    ...known,
    phase: phase === WAITING && isStuck ? STUCK : phase,
    offers: Math.min(3, offers.length),
  }
}

/** The phase by all that happened since the episode before this visit began, and by what this visit shows. */
function phaseBeforeOffer(
  visits: readonly Visit[],
  index: number,
  before: readonly Episode[],
): Phase {
  const { release } = before[index - 1] ?? NO_EPISODE
  let phase: Phase = before[index - 1]?.phase === STUCK ? STUCK : WAITING
  const begin = beginOf(index, before)
  for (let at = begin + 1; at <= index; at++) {
    const [visit, last] = [visits[at], visits[at - 1]]
    if (visit === undefined || last === undefined) continue
    const [isOn, wasOn] = [visit.version >= release, last.version >= release]
    // Also from one version above the release to another: the device goes on with it.
    if (isOn && visit.version !== last.version) phase = ADOPTED
    if (!isOn && wasOn && phase === ADOPTED) {
      if (visit.rolledBack.has(release) && visit.offered !== release) return NONE
      phase = REVERTED
    }
    if (visit.outcome === 'ok') phase = ADOPTED
    if (visit.outcome === 'failed' && phase !== REVERTED) phase = REPORTED
  }
  return phase
}

/** The visit with which the episode began that the one before `index` belongs to. */
function beginOf(index: number, before: readonly Episode[]): number {
  const known = before[index - 1]
  let begin = index - 1
  while (
    begin > 0 &&
    before[begin - 1]?.release === known?.release &&
    before[begin - 1]?.offeredAt === known?.offeredAt
  ) {
    begin--
  }
  return begin
}
