import { Group, Progress, Stack, Text } from '@mantine/core'
import type { FilesProgress } from '../../../shared/console/settings/backups.ts'
import { serverClient } from '../../bridge/clients.ts'
import { ErrorNotice, SmallButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { filesProgressText, text } from './strings.ts'

/** How much of the stored files is copied; copying can be canceled. */
export function CopyingFiles({ progress }: { readonly progress: FilesProgress }) {
  const cancel = useChange((_: undefined) => serverClient.backups.cancelFiles.mutate(), {
    failed: text.filesNotCanceled,
  })
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <FilesBar progress={progress} label={text.copyingFiles} />
        <SmallButton loading={cancel.isPending} onClick={() => cancel.send(undefined)}>
          {text.cancel}
        </SmallButton>
      </Group>
      <ErrorNotice error={cancel.error} title={text.filesNotCanceled} />
    </Stack>
  )
}

interface BarProps {
  readonly progress: FilesProgress
  readonly label: string
}

/** A bar with what it shows in words. */
export function FilesBar({ progress, label }: BarProps) {
  const { done, total } = progress
  const value = filesProgressText(progress)
  return (
    <Stack gap={4} style={{ flex: 1 }}>
      <Text size="sm">
        {label}: <span aria-hidden="true">{value}</span>
      </Text>
      <ProgressBar label={label} share={total === 0 ? 0 : done / total} words={value} />
    </Stack>
  )
}

interface Props {
  readonly label: string
  /** From 0 to 1. */
  readonly share: number
  /** What the bar shows, for those who do not see it. */
  readonly words: string
}

/** A bar whose value is read out in words. Those of the library say a percentage with all its digits. */
export function ProgressBar({ label, share, words }: Props) {
  const percent = Math.round(share * 100)
  return (
    <Progress.Root size="lg">
      <Progress.Section
        withAria={false}
        value={percent}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={words}
      />
    </Progress.Root>
  )
}
