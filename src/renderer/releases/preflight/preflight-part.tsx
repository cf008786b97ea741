import { Group, Progress, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import type {
  PreflightEvent,
  PreflightInput,
  PreflightReport,
} from '../../../shared/releases/preflight.ts'
import { useAccess } from '../../bridge/access.ts'
import { serverClient } from '../../bridge/clients.ts'
import { ErrorNotice, Panel, SmallButton } from '../../components/blocks.tsx'
import { text } from './strings.ts'

type PreflightState =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly line: string; readonly percent: number }
  | { readonly state: 'ready'; readonly report: PreflightReport }
  | { readonly state: 'failed'; readonly error: unknown }

/** A preflight that is run on request, and can be canceled. */
interface Preflight {
  readonly state: PreflightState
  run(): void
  cancel(): void
}

/** Runs the preflight of a release, at once if `isWanted`; it ends with the component. */
function usePreflight(input: PreflightInput, isWanted: boolean): Preflight {
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

const PreflightResult = lazy(async () => {
  const { PreflightResult: result } = await import('./preflight-result.tsx')
  return { default: result }
})

/** Checks a release or a draft on request, as a part of its screen. */
export function PreflightPanel({ of }: { readonly of: PreflightInput }) {
  const mayRun = useAccess().may('release_manager', of.app)
  const preflight = usePreflight(of, false)
  if (!mayRun) return null
  return (
    <Panel title={text.title} actions={<PreflightButton preflight={preflight} />}>
      <PreflightBody preflight={preflight} />
    </Panel>
  )
}

interface PartProps {
  readonly of: PreflightInput
  /** Whether to begin at once. */
  readonly isWanted: boolean
}

/** The same before a release is published, as a part of a dialog. */
export function PreflightPart({ of, isWanted }: PartProps) {
  const preflight = usePreflight(of, isWanted)
  return (
    <Stack gap="xs" component="section" aria-label={text.title}>
      <Group justify="space-between">
        <Text fw={500}>{text.title}</Text>
        <PreflightButton preflight={preflight} />
      </Group>
      <PreflightBody preflight={preflight} />
    </Stack>
  )
}

function PreflightButton({ preflight: { state, run, cancel } }: { readonly preflight: Preflight }) {
  if (state.state === 'running') return <SmallButton onClick={cancel}>{text.cancel}</SmallButton>
  return <SmallButton onClick={run}>{state.state === 'ready' ? text.again : text.run}</SmallButton>
}

function PreflightBody({ preflight: { state, run } }: { readonly preflight: Preflight }) {
  switch (state.state) {
    case 'idle':
      return <Text c="dimmed">{text.hint}</Text>
    case 'running':
      return (
        <Stack gap={4}>
          <Text size="sm">{state.line}</Text>
          <Progress value={state.percent} aria-label={text.running} />
        </Stack>
      )
    case 'failed':
      return <ErrorNotice error={state.error} title={text.failed} onRetry={run} />
    case 'ready':
      return (
        <Suspense>
          <PreflightResult report={state.report} />
        </Suspense>
      )
  }
}
