import { useCallback, useEffect, useRef, useState } from 'react'
import type {
  PreflightEvent,
  PreflightInput,
  PreflightReport,
} from '../../../shared/releases/preflight.ts'
import { serverClient } from '../../bridge/clients.ts'
import { text } from './strings.ts'

export type PreflightState =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly line: string; readonly percent: number }
  | { readonly state: 'ready'; readonly report: PreflightReport }
  | { readonly state: 'failed'; readonly error: unknown }

/** A preflight that is run on request, and can be canceled. */
export interface Preflight {
  readonly state: PreflightState
  run(): void
  cancel(): void
}

/** Runs the preflight of a release, at once if `isWanted`; it ends with the component. */
export function usePreflight(input: PreflightInput, isWanted: boolean): Preflight {
  const [state, setState] = useState<PreflightState>({ state: 'idle' })
  const running = useRef<{ unsubscribe(): void } | undefined>(undefined)
  const latest = useRef(input)
  latest.current = input

  const cancel = useCallback(() => {
    running.current?.unsubscribe()
    running.current = undefined
    setState({ state: 'idle' })
  }, [])

  const run = useCallback(() => {
    running.current?.unsubscribe()
    setState(BEGIN)
    running.current = serverClient.releases.followPreflight.subscribe(latest.current, {
      onData: (event) => setState(stateOf(event)),
      onError: (error) => setState({ state: 'failed', error }),
    })
  }, [])

  useEffect(() => {
    if (isWanted) run()
    return () => running.current?.unsubscribe()
  }, [isWanted, run])

  return { state, run, cancel }
}

const BEGIN: PreflightState = { state: 'running', line: text.files, percent: 0 }

function stateOf(event: PreflightEvent): PreflightState {
  if (event.type === 'result') return { state: 'ready', report: event.report }
  const { step, done, total } = event
  const percent = total === 0 ? 0 : (done / total) * 100
  return { state: 'running', line: text.progress[step](done, total), percent }
}
