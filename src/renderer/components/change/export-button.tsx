import { Button, Group, Progress } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { text } from '../strings.ts'
import { Quiet } from '../text/quiet.tsx'
import type { ExportState } from './use-export.ts'

interface Props {
  readonly state: ExportState
  readonly onStart: () => void
  readonly onCancel: () => void
}

/** Begins the export; while it runs, says how far it is and ends it. One button: it keeps the focus. */
export function ExportButton({ state, onStart, onCancel }: Props) {
  const running = state.state === 'running'
  const Glyph = running ? IconX : IconDownload
  return (
    <Group gap="sm">
      {running && <Written done={state.done} total={state.total} />}
      <Button
        variant="default"
        leftSection={<Glyph size={16} aria-hidden="true" />}
        loading={state.state === 'saving'}
        onClick={running ? onCancel : onStart}
      >
        {running ? text.cancelExport : text.exportCsv}
      </Button>
    </Group>
  )
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
