import { useCallback, useEffect, useRef, useState } from 'react'
import type { ExportPiece } from '../../../shared/console/export.ts'
import type { SaveOutcome } from '../../../shared/console/shell.ts'
import { shellClient } from '../../bridge/clients.ts'
import { writeFailureSentence } from '../strings.ts'
import { isoDay } from '../text/time.ts'
import { announce } from './announce.ts'

export type ExportState =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly done: number; readonly total: number }
  /** The text is complete; the person chooses where it goes. */
  | { readonly state: 'saving' }
  | { readonly state: 'failed'; readonly error: unknown }

const IDLE: ExportState = { state: 'idle' }

/** An export on the server. */
export interface Export {
  /** What the file is called, ahead of the day: `tidegate-audit`. */
  readonly name: string
  /** Returns what is announced once the file is saved there. */
  readonly done: (path: string) => string
  readonly subscribe: (listener: {
    onData: (piece: ExportPiece) => void
    onError: (error: unknown) => void
    onComplete: () => void
  }) => { unsubscribe: () => void }
}

/** Writes what the server exports into a file of the person's choice. One export at a time. */
export function useExport(): {
  state: ExportState
  start: (what: Export) => void
  cancel: () => void
} {
  const [state, setState] = useState<ExportState>(IDLE)
  const stop = useRef(() => {})
  const cancel = useCallback(() => {
    stop.current()
    setState(IDLE)
  }, [])
  // Leaving the screen ends what it began.
  useEffect(() => () => stop.current(), [])

  const start = useCallback(({ name, done, subscribe }: Export) => {
    const pieces: string[] = []
    const fail = (error: unknown) => setState({ state: 'failed', error })
    setState({ state: 'running', done: 0, total: 0 })
    const subscription = subscribe({
      onData: (piece) => {
        pieces.push(piece.text)
        setState({ state: 'running', done: piece.done, total: piece.total })
      },
      onError: fail,
      onComplete: () => {
        setState({ state: 'saving' })
        const suggestedName = `${name}-${isoDay(new Date())}.csv`
        shellClient.shell.saveFile
          .mutate({ suggestedName, text: pieces.join('') })
          .then((saved) => {
            if (saved.outcome === 'saved') announce(done(saved.path))
            setState(saved.outcome === 'failed' ? failed(saved) : IDLE)
          }, fail)
      },
    })
    stop.current = () => subscription.unsubscribe()
  }, [])

  return { state, start, cancel }
}

function failed({ failure }: Extract<SaveOutcome, { outcome: 'failed' }>): ExportState {
  return { state: 'failed', error: new Error(writeFailureSentence(failure)) }
}
