import { useCallback, useEffect, useRef, useState } from 'react'
import type { AuditExportPiece, AuditFilter } from '../../shared/console/audit.ts'
import type { SaveOutcome } from '../../shared/console/shell.ts'
import { serverClient, shellClient } from '../bridge/clients.ts'
import { announce } from '../components/announce.ts'
import { isoDay } from '../components/time.ts'
import { writeFailureSentence } from './strings.ts'

export type ExportState =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly done: number; readonly total: number }
  /** The text is whole; the person chooses where it goes. */
  | { readonly state: 'saving' }
  | { readonly state: 'failed'; readonly error: unknown }

const IDLE: ExportState = { state: 'idle' }

/** Writes the entries that match into a file of the person's choice. One export at a time. */
export function useExport(): {
  state: ExportState
  start: (filter: AuditFilter) => void
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

  const start = useCallback((filter: AuditFilter) => {
    const pieces: string[] = []
    const fail = (error: unknown) => setState({ state: 'failed', error })
    setState({ state: 'running', done: 0, total: 0 })
    const subscription = serverClient.audit.export.subscribe(filter, {
      onData: ({ text, done, total }: AuditExportPiece) => {
        pieces.push(text)
        setState({ state: 'running', done, total })
      },
      onError: fail,
      onComplete: () => {
        setState({ state: 'saving' })
        const file = { suggestedName: fileName(new Date()), text: pieces.join('') }
        shellClient.shell.saveFile.mutate(file).then((outcome) => {
          tell(outcome)
          setState(outcome.outcome === 'failed' ? failed(outcome) : IDLE)
        }, fail)
      },
    })
    stop.current = () => subscription.unsubscribe()
  }, [])

  return { state, start, cancel }
}

function tell(outcome: SaveOutcome): void {
  if (outcome.outcome === 'saved') announce(`The audit log was saved as ${outcome.path}.`)
}

function failed({ failure }: Extract<SaveOutcome, { outcome: 'failed' }>): ExportState {
  return { state: 'failed', error: new Error(writeFailureSentence(failure)) }
}

/** `tidegate-audit-2026-03-14.csv`, by the day that it is in the chosen time zone. */
function fileName(now: Date): string {
  return `tidegate-audit-${isoDay(now)}.csv`
}
