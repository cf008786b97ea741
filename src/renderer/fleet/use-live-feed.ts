import { useEffect, useReducer, useRef } from 'react'
import { serverClient } from '../bridge/clients.ts'
import { keepSubscribed } from '../bridge/keep-subscribed.ts'
import { type FeedState, feedAfter, NO_FEED } from './feed-state.ts'

/** Milliseconds until a feed that ended is asked for again. */
const RETRY = 2_000

/** Check-ins as they happen, while the component is shown. `held`: nothing shown moves. */
export function useLiveFeed(app: string, channel: string, held: boolean): FeedState {
  const [state, dispatch] = useReducer(feedAfter, NO_FEED)
  const isHeld = useRef(held)
  useEffect(() => {
    isHeld.current = held
    if (!held) dispatch({ type: 'released' })
  }, [held])
  useEffect(() => {
    dispatch({ type: 'started' })
    const input = { app, channel: channel === '' ? undefined : channel }
    return keepSubscribed((onEnd) => {
      const lost = () => {
        dispatch({ type: 'lost' })
        onEnd()
      }
      return serverClient.fleet.live.subscribe(input, {
        onData: (batch) => dispatch({ type: 'batch', batch, held: isHeld.current }),
        onError: lost,
        onComplete: lost,
      })
    }, RETRY)
  }, [app, channel])
  return state
}
