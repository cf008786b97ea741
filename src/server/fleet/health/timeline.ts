import type { HealthState, Outcome } from '../../../shared/health/health.ts'
import type { LoggedCheckIn } from '../facts.ts'

/** What happened to a device with a release. */
export interface TimelineEvent {
  /** Unix time in milliseconds. */
  readonly at: number
  /**
   * - `offered`: for the first time
   * - `sent_back`: told to go back to a lower version
   * - `outcome`: reported by its app
   * - a state that it came to
   */
  readonly kind: 'offered' | 'sent_back' | 'outcome' | Exclude<HealthState, 'waiting' | 'silent'>
  /** Canonical version of the release; null if it is no longer known. */
  readonly version: string | null
  readonly outcome: Outcome | null
  /** Empty for none. */
  readonly detail: string
}

/**
 * Returns what happened to a device, newest first, from its check-ins, also newest first. What happened with the oldest of
 * them is not known.
 */
export function timelineOf(checkIns: readonly LoggedCheckIn[]): TimelineEvent[] {
  const events: TimelineEvent[] = []
  for (const [index, checkIn] of checkIns.entries()) {
    const before = checkIns[index + 1]
    events.push(...eventsOf(checkIn, before).reverse())
  }
  return events
}

/** The events of one check-in, in their order. */
function eventsOf(
  { at, reason, episode, outcome, detail, profile }: LoggedCheckIn,
  before: LoggedCheckIn | undefined,
): TimelineEvent[] {
  const events: TimelineEvent[] = []
  const add = (kind: TimelineEvent['kind'], version: string | null) =>
    events.push({ at, kind, version, outcome: null, detail: '' })
  if (outcome !== null) {
    events.push({ at, kind: 'outcome', version: episode?.version ?? null, outcome, detail })
  }
  if (before === undefined) return events
  const last = before.episode
  const isSame = episode !== null && episode.release === last?.release
  // Offered the next release with the check-in that shows the one before.
  const adoptedBefore =
    !isSame && last !== null && last.state !== 'adopted' && profile?.version === last.version
  if (adoptedBefore) add('adopted', last.version)
  if (reason === 'rollback') add('sent_back', last?.version ?? null)
  if (episode === null) return events
  if (!isSame) add('offered', episode.version)
  const { state } = episode
  const isNew = state !== 'waiting' && state !== 'silent' && (!isSame || state !== last?.state)
  if (isNew) add(state, episode.version)
  return events
}
