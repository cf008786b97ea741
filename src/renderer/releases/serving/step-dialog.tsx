import { Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { server } from '../../bridge/clients.ts'
import { announce } from '../../components/announce.ts'
import { DialogButtons } from '../../components/dialog-buttons.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { keepFocus } from '../../components/keep-focus.ts'
import type { ReleaseDetail } from '../detail.ts'
import { changeInput, type ServingStep, stepInWords } from './change.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { refusalInWords } from './refusal.ts'
import { usePreview } from './use-preview.ts'

interface Props {
  readonly detail: ReleaseDetail
  /** The step that is asked about; the dialog is closed without one. */
  readonly step: ServingStep | undefined
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Asks once before a serving change, with what it will do in numbers. */
export function StepDialog({ detail, step, onClose, onDone }: Props) {
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
      {step && <StepForm detail={detail} step={step} onClose={onClose} onDone={onDone} />}
    </Modal>
  )
}

function StepForm({ detail, step, onClose, onDone }: Props & { step: ServingStep }) {
  const { release, devices } = detail
  const words = stepInWords(release, step)
  const input = changeInput(release, step)
  const preview = usePreview(input)
  const queries = useQueryClient()
  const apply = useMutation(server.releases.changeServing.mutationOptions())
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    apply.mutate(input, {
      onSuccess: async () => {
        await queries.invalidateQueries(server.releases.pathFilter())
        announce(words.done)
        onDone()
      },
    })
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{words.meaning}</Text>
        <PreviewPanel
          state={preview.state}
          version={release.version}
          running={devices}
          onCancel={preview.cancel}
          onAgain={preview.again}
        />
        <ErrorNotice error={refusalInWords(apply.error)} />
        <DialogButtons
          action={words.action}
          destructive={words.destructive}
          pending={apply.isPending}
          disabled={preview.state.state === 'running'}
          onCancel={onClose}
        />
      </Stack>
    </form>
  )
}
