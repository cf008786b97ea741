import { useEffect, useRef, useState } from 'react'
import type { Preview, PreviewEvent } from '../../../shared/console/releases/preview.ts'
import type { ServingChangeInput } from '../../../shared/console/releases/releases.ts'
import { serverClient } from '../../bridge/clients.ts'
import { text } from './strings.ts'

export type PreviewState =
  | { readonly state: 'running'; readonly done: number; readonly total: number }
  | { readonly state: 'ready'; readonly preview: Preview }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly error: unknown }

const BEGIN: PreviewState = { state: 'running', done: 0, total: 0 }

/** A count that can be ended, and begun again. */
export interface Counting {
  readonly state: PreviewState
  cancel(): void
  again(): void
}

/** Counts what a serving change would do, see `useCounting`. */
export function usePreview(change: ServingChangeInput | undefined, revision: string): Counting {
  const begin: Begin | undefined =
    change && ((handlers) => serverClient.releases.preview.subscribe(change, handlers))
  return useCounting(begin, revision)
}

interface Handlers {
  readonly onData: (event: PreviewEvent) => void
  readonly onError: (error: unknown) => void
  readonly onComplete: () => void
}

/** Starts a count. */
export type Begin = (handlers: Handlers) => { unsubscribe(): void }

/**
 * Counts what a change would do, and counts again whenever `revision` is another: that of everything that the
 * counts depend on. With `begin` undefined nothing is counted.
 */
export function useCounting(begin: Begin | undefined, revision: string): Counting {
  const [counted, setCounted] = useState<{ key: string; state: PreviewState }>()
  const [round, setRound] = useState(0)
  const [cancelled, setCancelled] = useState<string>()
  const latest = useRef(begin)
  latest.current = begin
  const key = `${revision} ${round}`
  const wanted = begin !== undefined && cancelled !== key

  useEffect(() => {
    if (!wanted || latest.current === undefined) return
    const setState = (state: PreviewState) => setCounted({ key, state })
    let ready = false
    const subscription = latest.current({
      onData: (event) => {
        if (event.type === 'progress') {
          setState({ state: 'running', done: event.done, total: event.total })
        } else {
          ready = true
          setState({ state: 'ready', preview: event.preview })
        }
      },
      onError: (error) => setState({ state: 'failed', error }),
      onComplete: () => {
        if (!ready) setState({ state: 'failed', error: new Error(text.countEnded) })
      },
    })
    return () => subscription.unsubscribe()
  }, [key, wanted])

  // Counts of an older state are never shown: not even until the effect has run.
  const known = counted?.key === key ? counted.state : BEGIN
  return {
    state: wanted || begin === undefined ? known : { state: 'cancelled' },
    cancel: () => setCancelled(key),
    again: () => setRound((number) => number + 1),
  }
}
