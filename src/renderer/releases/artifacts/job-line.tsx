import { Group, Progress, Text } from '@mantine/core'
import { formatSize } from '../../../shared/wording/format.ts'
import { PlainButton } from '../../components/blocks.tsx'
import { Small } from '../../components/text/words.tsx'
import { text } from './strings.ts'
import { type HashJob, nameOfSource } from './use-hashing.ts'
import type { UploadJob } from './use-uploads.ts'

interface HashProps {
  readonly job: HashJob
  readonly onCancel: () => void
  readonly onStart: () => void
}

/** How far the SHA-512 of a file is, with a button that ends it or starts it again. */
export function HashLine({ job, onCancel, onStart }: HashProps) {
  const { source, done, total, state, reason } = job
  const name = nameOfSource(source)
  return (
    <JobLine
      job={job}
      ended={state === 'failed' ? text.hashFailed(name, reason) : text.hashCancelled(name)}
      again={text.computeHash}
      doing={text.hashing(formatSize(done), total === 0 ? undefined : formatSize(total))}
      share={total === 0 ? 0 : (done / total) * 100}
      label={text.hashOf(name)}
      onCancel={onCancel}
      onAgain={onStart}
    />
  )
}

interface UploadProps {
  readonly job: UploadJob
  readonly onCancel: () => void
  readonly onResume: () => void
}

/** How far the upload of a file is, with a button that ends it or goes on with it. */
export function UploadLine({ job, onCancel, onResume }: UploadProps) {
  const { file, done, state, reason } = job
  const failed = state === 'failed'
  const size = formatSize(file.size)
  const share = file.size === 0 ? 100 : Math.floor((done / file.size) * 100)
  return (
    <JobLine
      job={job}
      ended={failed ? text.uploadFailed(file.name, reason) : text.uploadCancelled(file.name)}
      again={text.resumeUpload}
      doing={share < 100 ? text.uploading(formatSize(done), size) : text.storing(size)}
      share={share}
      label={text.uploadOf(file.name)}
      onCancel={onCancel}
      onAgain={onResume}
    />
  )
}

interface Props {
  readonly job: HashJob | UploadJob
  /** What is said once it does not run any more, and the button that begins it again. */
  readonly ended: string
  readonly again: string
  /** What is said while it runs. */
  readonly doing: string
  /** From 0 to 100. */
  readonly share: number
  readonly label: string
  readonly onCancel: () => void
  readonly onAgain: () => void
}

function JobLine({ job: { state }, ended, again, doing, share, label, ...props }: Props) {
  if (state !== 'running') {
    return (
      <Group gap="xs">
        <Text
          size="xs"
          c={state === 'failed' ? 'var(--mantine-color-error)' : 'dimmed'}
          role="status"
        >
          {ended}
        </Text>
        <PlainButton size="compact-xs" onClick={props.onAgain}>
          {again}
        </PlainButton>
      </Group>
    )
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Small style={{ whiteSpace: 'nowrap' }}>{doing}</Small>
      <Progress value={share} flex={1} aria-label={label} />
      <PlainButton size="compact-xs" onClick={props.onCancel}>
        {text.cancel}
      </PlainButton>
    </Group>
  )
}
