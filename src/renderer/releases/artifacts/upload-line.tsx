import { Button, Group, Progress, Text } from '@mantine/core'
import { formatSize } from '../../../shared/wording/format.ts'
import { text } from './strings.ts'
import type { UploadJob } from './use-uploads.ts'

interface Props {
  readonly job: UploadJob
  readonly onCancel: () => void
  readonly onResume: () => void
}

/** How far the upload of a file is, with a button that ends it or goes on with it. */
export function UploadLine({ job, onCancel, onResume }: Props) {
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
            ? text.uploadFailed(file.name, reason)
            : text.uploadCancelled(file.name)}
        </Text>
        <Button variant="default" size="compact-xs" onClick={onResume}>
          {text.resumeUpload}
        </Button>
      </Group>
    )
  }
  const size = formatSize(file.size)
  const share = file.size === 0 ? 100 : Math.floor((done / file.size) * 100)
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {share < 100 ? text.uploading(formatSize(done), size) : text.storing(size)}
      </Text>
      <Progress value={share} flex={1} aria-label={text.uploadOf(file.name)} />
      <Button variant="default" size="compact-xs" onClick={onCancel}>
        {text.cancel}
      </Button>
    </Group>
  )
}
