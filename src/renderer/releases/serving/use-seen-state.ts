import { useState } from 'react'
import type { HistoryEntry, ReleaseDetail } from '../detail.ts'

/** The state of a release that a question is about, while the release itself may change. */
export interface SeenState {
  /** As it was when the question was asked, or reviewed last. */
  readonly seen: ReleaseDetail
  /** True once somebody changed the release since: the question must be asked again. */
  readonly isOutdated: boolean
  /** What changed since, newest first. */
  readonly changes: readonly HistoryEntry[]
  /** Accepts the state as it is now as the one that the question is about. */
  readonly review: () => void
}

/**
 * Holds on to the state that a question is about. `seenChange` is the revision that the person decided on, which
 * can be older than what is shown when the question opens. While `isAnswered`, a change is taken for its own.
 */
export function useSeenState(
  detail: ReleaseDetail,
  seenChange: number,
  isAnswered: boolean,
): SeenState {
  const [state, setState] = useState({ seen: detail, change: seenChange })
  const isOutdated = !isAnswered && detail.lastChange !== state.change
  return {
    // An offer is no change of the release, but changes what is possible.
    seen: detail.lastChange === state.change ? detail : state.seen,
    isOutdated,
    changes: detail.history.filter(({ id }) => id > state.change),
    review: () => setState({ seen: detail, change: detail.lastChange }),
  }
}
