import { Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { server } from '../../bridge/clients.ts'
import { consoleErrorOf } from '../../bridge/error.ts'
import { announce } from '../../components/announce.ts'
import { DialogButtons } from '../../components/dialog-buttons.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { keepFocus } from '../../components/keep-focus.ts'
import type { ReleaseDetail } from '../detail.ts'
import { ChangedNotice } from './changed-notice.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { refusalInWords } from './refusal.ts'
import { obstacleTo, type ServingStep, type Standstill, stepInput } from './step.ts'
import { OBSTACLES, stepInWords, text } from './strings.ts'
import { type PreviewState, usePreview } from './use-preview.ts'
import { useSeenState } from './use-seen-state.ts'

interface Props {
  readonly detail: ReleaseDetail
  readonly standstill: Standstill | undefined
  /** The step that is asked about; the dialog is closed without one. */
  readonly step: ServingStep | undefined
  readonly onClose: () => void
  readonly onDone: (step: ServingStep) => void
}

/** Asks once before a serving change, with what it will do in numbers. */
export function StepDialog({ detail, step, onClose, ...rest }: Props) {
  const title = step === undefined ? '' : stepInWords(detail.release, step).title
  return (
    <Modal
      opened={step !== undefined}
      onClose={onClose}
      onExitTransitionEnd={keepFocus}
      title={title}
      size="lg"
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {step && <StepForm detail={detail} step={step} onClose={onClose} {...rest} />}
    </Modal>
  )
}

/**
 * What is confirmed is what is shown. Once somebody else changes the release, the button asks for another look,
 * and the step is counted and worded anew before it can be confirmed.
 */
function StepForm(props: Props & { step: ServingStep }) {
  const { detail, standstill, step, onClose, onDone } = props
  const queries = useQueryClient()
  const apply = useMutation(server.releases.changeServing.mutationOptions())
  const { seen, isOutdated, changes, review } = useSeenState(
    detail,
    step.seenChange,
    apply.isPending || apply.isSuccess,
  )
  const { release, devices } = seen
  const words = stepInWords(release, step)
  const obstacle = obstacleTo(detail.release, standstill, step)
  const isAsked = obstacle === undefined && !isOutdated
  const input = stepInput(release, { ...step, seenChange: seen.lastChange })
  const { seenChange: _, ...change } = input
  const preview = usePreview(isAsked ? change : undefined, `${seen.channelRevision}`)
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!isAsked) {
      review()
      return
    }
    apply.mutate(input, {
      onSuccess: async () => {
        await queries.invalidateQueries(server.releases.pathFilter())
        announce(words.done)
        onDone(step)
      },
      onError: () => queries.invalidateQueries(server.releases.pathFilter()),
    })
  }
  const isRefusedAsOutdated =
    apply.error !== null && consoleErrorOf(apply.error).refusal?.code === 'changed_since_seen'
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {words.meaning}
        </Text>
        {isOutdated && (
          <ChangedNotice version={release.version} changes={changes}>
            {obstacle === undefined ? text.changedDialog : OBSTACLES[obstacle]}
          </ChangedNotice>
        )}
        {!isOutdated && obstacle !== undefined && (
          <Text size="sm" role="alert" c="var(--mantine-color-error)">
            {OBSTACLES[obstacle]}
          </Text>
        )}
        {isAsked && (
          <PreviewPanel
            state={preview.state}
            version={release.version}
            running={devices}
            onCancel={preview.cancel}
            onAgain={preview.again}
          />
        )}
        {!isRefusedAsOutdated && <ErrorNotice error={refusalInWords(apply.error)} />}
        <DialogButtons
          action={isAsked || obstacle !== undefined ? words.action : text.review}
          destructive={words.destructive && isAsked}
          pending={apply.isPending}
          disabled={obstacle !== undefined || (isAsked && !canConfirm(preview.state))}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}

/** Returns whether a step can be confirmed: not before it is counted, nor if it would be refused. */
function canConfirm(preview: PreviewState): boolean {
  if (preview.state === 'running') return false
  return preview.state !== 'failed' || consoleErrorOf(preview.error).refusal === undefined
}
