import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { formatCount } from '../../../shared/wording/format.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import classes from './preview.module.css'
import { PreviewTables } from './preview-tables.tsx'
import { refusalInWords } from './refusal.ts'
import { previewInWords } from './strings.ts'
import type { PreviewState } from './use-preview.ts'

interface Props {
  readonly state: PreviewState
  readonly app: string
  readonly version: string
  /** Devices that run the release now. */
  readonly running: number
  readonly onCancel: () => void
  readonly onAgain: () => void
}

/** What a change would do to the known devices: the count while it runs, then its numbers. */
export function PreviewPanel({ state, app, version, running, onCancel, onAgain }: Props) {
  return (
    <section className={classes.panel} aria-label="What it will do">
      {state.state === 'running' && <Counting {...state} onCancel={onCancel} />}
      {state.state === 'cancelled' && (
        <Group justify="space-between">
          <Text size="sm" role="status">
            The count was cancelled, so what it will do is not known.
          </Text>
          <Again onAgain={onAgain} />
        </Group>
      )}
      {state.state === 'failed' && (
        <ErrorNotice
          error={refusalInWords(state.error)}
          title="What it will do could not be counted"
          onRetry={onAgain}
        />
      )}
      {state.state === 'ready' && (
        <Stack gap="sm">
          <div role="status">
            {previewInWords(state.preview, version, running).map((line) => (
              <Text key={line} fw={500}>
                {line}
              </Text>
            ))}
          </div>
          <PreviewTables app={app} preview={state.preview} />
        </Stack>
      )}
    </section>
  )
}

interface CountingProps {
  readonly done: number
  readonly total: number
  readonly onCancel: () => void
}

function Counting({ done, total, onCancel }: CountingProps) {
  const sentence =
    total === 0
      ? 'Counting devices'
      : `Counting devices: ${formatCount(done)} of ${formatCount(total)}`
  return (
    <Group wrap="nowrap">
      <Stack gap={4} flex={1}>
        <Text size="sm">{sentence}</Text>
        <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label="Devices counted" />
      </Stack>
      <Button variant="default" size="xs" onClick={onCancel}>
        Stop counting
      </Button>
    </Group>
  )
}

function Again({ onAgain }: { onAgain: () => void }) {
  return (
    <Button variant="default" size="xs" onClick={onAgain}>
      Count again
    </Button>
  )
}
