import { Text } from '@mantine/core'
import { serverClient } from '../../bridge/clients.ts'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { useChange } from '../../components/use-change.ts'
import { useLast } from '../../components/use-last.ts'
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
  const shown = useLast(step)
  const title = shown === undefined ? '' : stepInWords(detail.release, shown).title
  return (
    <Dialog opened={step !== undefined} onClose={onClose} title={title} size="lg">
      {shown && <StepForm detail={detail} step={shown} onDone={onDone} />}
    </Dialog>
  )
}

function StepForm({
  detail,
  step,
  onDone,
}: Pick<Props, 'detail' | 'onDone'> & { step: ServingStep }) {
  const { release, devices } = detail
  const words = stepInWords(release, step)
  const input = changeInput(release, step)
  const preview = usePreview(input)
  const apply = useChange(serverClient.releases.changeServing.mutate, {
    done: () => words.done,
    failed: () => `Failed: ${words.title}`,
    onDone,
  })
  return (
    <DialogForm
      action={words.action}
      destructive={words.destructive}
      change={{ ...apply, error: refusalInWords(apply.error) }}
      disabled={preview.state.state === 'running'}
      onSubmit={() => apply.send(input)}
    >
      <Text size="sm">{words.meaning}</Text>
      <PreviewPanel
        state={preview.state}
        app={release.app}
        version={release.version}
        running={devices}
        onCancel={preview.cancel}
        onAgain={preview.again}
      />
    </DialogForm>
  )
}
