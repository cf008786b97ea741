import type { LiveBatch, LiveCheckIn } from '../../shared/console/fleet.ts'

/** Rows that the feed keeps. */
export const FEED_ROWS = 50

/** What the feed shows, and what waits while somebody looks at it. Newest first. */
export interface FeedState {
  readonly rows: readonly LiveCheckIn[]
  readonly waiting: readonly LiveCheckIn[]
  /** Check-ins since it was held, those that are not kept included. */
  readonly came: number
  /** Check-ins that were not told, because too many came at once; since the rows began. */
  readonly leftOut: number
  readonly listening: boolean
}

export const NO_FEED: FeedState = {
  rows: [],
  waiting: [],
  came: 0,
  leftOut: 0,
  listening: false,
}

type FeedEvent =
  | { readonly type: 'batch'; readonly batch: LiveBatch; readonly held: boolean }
  | { readonly type: 'released' }
  | { readonly type: 'started' }
  | { readonly type: 'lost' }

/** The next state. While it is held the rows stay as they are; then all that came is put on top. */
export function feedAfter(state: FeedState, event: FeedEvent): FeedState {
  switch (event.type) {
    case 'started':
      return NO_FEED
    case 'lost':
      return { ...state, listening: false }
    case 'batch': {
      const { checkIns, leftOut } = event.batch
      const waiting = [...checkIns, ...state.waiting].slice(0, FEED_ROWS)
      const next = {
        ...state,
        waiting,
        came: state.came + checkIns.length + leftOut,
        leftOut: state.leftOut + leftOut,
        listening: true,
      }
      return event.held ? next : released(next)
    }
    case 'released':
      return released(state)
  }
}

function released(state: FeedState): FeedState {
  const rows = [...state.waiting, ...state.rows].slice(0, FEED_ROWS)
  return { ...state, rows, waiting: [], came: 0 }
}
