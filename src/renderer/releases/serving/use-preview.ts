import { useEffect, useState } from 'react'
import type { Preview, ServingChangeInput } from '../../../shared/console/releases.ts'
import { serverClient } from '../../bridge/clients.ts'

export type PreviewState =
  | { readonly state: 'running'; readonly done: number; readonly total: number }
  | { readonly state: 'ready'; readonly preview: Preview }
  | { readonly state: 'cancelled' }
  | { readonly state: 'failed'; readonly error: unknown }

const BEGIN: PreviewState = { state: 'running', done: 0, total: 0 }

/** Counts what a change would do, from when the component appears. `change` is read once. */
export function usePreview(change: ServingChangeInput): {
  state: PreviewState
  cancel: () => void
  again: () => void
} {
  const [state, setState] = useState<PreviewState>(BEGIN)
  const [round, setRound] = useState(0)
  const [input] = useState(change)
  const wanted = round >= 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: every round counts anew
  useEffect(() => {
    if (!wanted) return
    setState(BEGIN)
    let ready = false
    const subscription = serverClient.releases.preview.subscribe(input, {
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
        if (!ready) setState({ state: 'failed', error: new Error('The count ended early.') })
      },
    })
    return () => subscription.unsubscribe()
  }, [input, round, wanted])

  return {
    state,
    cancel: () => {
      setRound((known) => -Math.abs(known) - 1)
      setState({ state: 'cancelled' })
    },
    again: () => setRound((known) => Math.abs(known) + 1),
  }
}
