import { Group, Progress, Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../components/change/error-notice.tsx'
import { SmallButton } from '../../components/small-button.tsx'
import classes from './preview.module.css'
import { PreviewTables } from './preview-tables.tsx'
import { refusalInWords } from './refusal.ts'
import { previewInWords, text } from './strings.ts'
import type { PreviewState } from './use-preview.ts'

interface Props {
  /** Of this part of the screen, if another one is called “Impact” already. */
  readonly label?: string
  readonly state: PreviewState
  readonly app: string
  readonly version: string
  /** Devices that run the release now. */
  readonly running: number
  readonly onCancel: () => void
  readonly onAgain: () => void
}

/** What a change would do to the known devices: the count while it runs, then its numbers. */
export function PreviewPanel(props: Props) {
  const { label = text.impact, state, app, version, running, onCancel, onAgain } = props
  return (
    <section className={classes.panel} aria-label={label}>
      {state.state === 'running' && <Counting {...state} onCancel={onCancel} />}
      {state.state === 'cancelled' && (
        <Group justify="space-between">
          <Text size="sm" role="status">
            {text.countStopped}
          </Text>
          <Again onAgain={onAgain} />
        </Group>
      )}
      {state.state === 'failed' && (
        <ErrorNotice
          error={refusalInWords(state.error)}
          title={text.countFailed}
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
  const sentence = total === 0 ? text.counting : text.countingOf(done, total)
  return (
    <Group wrap="nowrap">
      <Stack gap={4} flex={1}>
        <Text size="sm">{sentence}</Text>
        <Progress value={total === 0 ? 0 : (done / total) * 100} aria-label={text.countedDevices} />
      </Stack>
      <SmallButton onClick={onCancel}>{text.stopCounting}</SmallButton>
    </Group>
  )
}

function Again({ onAgain }: { onAgain: () => void }) {
  return <SmallButton onClick={onAgain}>{text.countAgain}</SmallButton>
}
