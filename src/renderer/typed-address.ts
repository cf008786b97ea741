import type { DataRouter } from 'react-router'
import { newId } from '../shared/new-id.ts'

/**
 * Has the router treat an address that somebody typed, or that was set as `location.hash`, like a link that was
 * followed: a form with unsaved changes asks before it is left. The router goes back by the number that it keeps in
 * the state of each entry of the history (`idx`); only the entries that it adds itself have one. So such an entry
 * gets its number here, before the router hears of it: call this before the router is created, which listens from then
 * on, and what it returns with the router.
 */
export function followTypedAddresses(): (router: Pick<DataRouter, 'subscribe'>) => void {
  let current = numberOf(history.state) ?? 0
  window.addEventListener('popstate', ({ state }: PopStateEvent) => {
    const known = numberOf(state)
    current = known ?? current + 1
    if (known === undefined) {
      history.replaceState({ usr: null, key: newId(), idx: current }, '')
    }
  })
  return (router) => {
    router.subscribe(() => {
      current = numberOf(history.state) ?? current
    })
  }
}

/** The number in the state of an entry; undefined if the router did not add it. */
function numberOf(state: unknown): number | undefined {
  if (typeof state !== 'object' || state === null || !('idx' in state)) return undefined
  return typeof state.idx === 'number' ? state.idx : undefined
}
