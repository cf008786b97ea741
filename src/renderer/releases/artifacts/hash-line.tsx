import { Button, Group, Progress, Text } from '@mantine/core'
import { formatSize } from '../../../shared/wording/format.ts'
import { text } from './strings.ts'
import type { HashJob } from './use-hashing.ts'

interface Props {
  readonly job: HashJob
  readonly onCancel: () => void
  readonly onStart: () => void
}

/** How far the SHA-512 of a file is, with a button that ends it or starts it again. */
export function HashLine({ job, onCancel, onStart }: Props) {
  const { file, done, state, reason } = job
  if (state !== 'running') {
    return (
      <Group gap="xs">
        <Text
          size="xs"
          c={state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}
          role="status"
        >
          {state === 'failed' ? text.hashFailed(file.name, reason) : text.hashCancelled(file.name)}
        </Text>
        <Button variant="default" size="compact-xs" onClick={onStart}>
          {text.computeHash}
        </Button>
      </Group>
    )
  }
  const share = file.size === 0 ? 100 : (done / file.size) * 100
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {text.hashing(formatSize(done), formatSize(file.size))}
      </Text>
      <Progress value={share} flex={1} aria-label={text.hashOf(file.name)} />
      <Button variant="default" size="compact-xs" onClick={onCancel}>
        {text.cancel}
      </Button>
    </Group>
  )
}
