import { Group, Progress } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ExportPiece } from '../../../shared/console/audit.ts'
import type { SaveOutcome } from '../../../shared/console/desktop/shell.ts'
import { shellClient } from '../../bridge/clients.ts'
import { ErrorNotice, PlainButton } from '../blocks.tsx'
import { text, writeFailureSentence } from '../strings.ts'
import { isoDay } from '../text/time.ts'
import { Quiet } from '../text/words.tsx'
import { announce } from './announce.ts'

interface Props {
  readonly exporting: Exporting
  readonly what: Export
}

/** Begins the export; while it runs, says how far it is and ends it. One button: it keeps the focus. */
export function ExportButton({ exporting: { state, start, cancel }, what }: Props) {
  const running = state.state === 'running'
  const Glyph = running ? IconX : IconDownload
  return (
    <Group gap="sm">
      {running && <Written done={state.done} total={state.total} />}
      <PlainButton
        icon={Glyph}
        loading={state.state === 'saving'}
        onClick={running ? cancel : () => start(what)}
      >
        {running ? text.cancelExport : text.exportCsv}
      </PlainButton>
    </Group>
  )
}

interface FailureProps extends Pick<Props, 'exporting'> {
  /** What is exported by trying again; undefined if there is nothing any more. */
  readonly what: Export | undefined
  readonly title: string
}

/** Says that an export failed, and tries again; nothing for any other state. */
export function ExportFailure({ exporting: { state, start }, what, title }: FailureProps) {
  if (state.state !== 'failed') return null
  return <ErrorNotice error={state.error} title={title} onRetry={() => what && start(what)} />
}

function Written({ done, total }: { readonly done: number; readonly total: number }) {
  return (
    <>
      <Quiet className="numbers">{text.exported(done, total)}</Quiet>
      <Progress
        w={96}
        value={total === 0 ? 0 : (100 * done) / total}
        aria-label={text.exportProgress}
      />
    </>
  )
}

type ExportState =
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

interface Exporting {
  readonly state: ExportState
  readonly start: (what: Export) => void
  readonly cancel: () => void
}

/** Writes what the server exports into a file of the person's choice. One export at a time. */
export function useExport(): Exporting {
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
