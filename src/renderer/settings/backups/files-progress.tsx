import { Button, Group, Stack, Text } from '@mantine/core'
import type { FilesProgress } from '../../../shared/console/backups.ts'
import { serverClient } from '../../bridge/clients.ts'
import { ErrorNotice } from '../../components/change/error-notice.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { ProgressBar } from './progress-bar.tsx'
import { filesProgressText, text } from './strings.ts'

/** How much of the stored files is copied; copying can be canceled. */
export function CopyingFiles({ progress }: { readonly progress: FilesProgress }) {
  const cancel = useChange((_: undefined) => serverClient.backups.cancelFiles.mutate(), {
    done: () => undefined,
    failed: () => text.filesNotCanceled,
  })
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <FilesBar progress={progress} label={text.copyingFiles} />
        <Button
          size="xs"
          variant="default"
          loading={cancel.isPending}
          onClick={() => cancel.send(undefined)}
        >
          {text.cancel}
        </Button>
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
