import { Button, Group, Progress, Text } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import { formatCount } from '../components/format.ts'
import type { ExportState } from './use-export.ts'

interface Props {
  readonly state: ExportState
  readonly onStart: () => void
  readonly onCancel: () => void
}

/** Begins the export; while it runs, says how far it is and ends it. */
export function ExportButton({ state, onStart, onCancel }: Props) {
  if (state.state === 'running') {
    return (
      <Group gap="sm">
        <Text size="sm" c="dimmed" className="numbers">
          {formatCount(state.done)} of {formatCount(state.total)}
        </Text>
        <Progress
          w={96}
          value={state.total === 0 ? 0 : (100 * state.done) / state.total}
          aria-label="Entries written"
        />
        <Button
          variant="default"
          leftSection={<IconX size={16} aria-hidden="true" />}
          onClick={onCancel}
        >
          Cancel export
        </Button>
      </Group>
    )
  }
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      loading={state.state === 'saving'}
      onClick={onStart}
    >
      Export as CSV
    </Button>
  )
}
