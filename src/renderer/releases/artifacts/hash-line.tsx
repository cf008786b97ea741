import { Button, Group, Progress, Text } from '@mantine/core'
import { formatSize } from '../../../shared/wording/format.ts'
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
          {state === 'failed'
            ? `The SHA-512 of ${file.name} could not be computed: ${reason}.`
            : `The SHA-512 of ${file.name} was not computed.`}
        </Text>
        <Button variant="default" size="compact-xs" onClick={onStart}>
          Compute SHA-512
        </Button>
      </Group>
    )
  }
  const share = file.size === 0 ? 100 : (done / file.size) * 100
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        Computing SHA-512, {formatSize(done)} of {formatSize(file.size)}
      </Text>
      <Progress value={share} flex={1} aria-label={`SHA-512 of ${file.name}`} />
      <Button variant="default" size="compact-xs" onClick={onCancel}>
        Cancel
      </Button>
    </Group>
  )
}
