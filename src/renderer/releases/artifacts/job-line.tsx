import { Group, Progress, Text } from '@mantine/core'
import { formatSize } from '../../../shared/wording/format.ts'
import { PlainButton } from '../../components/blocks.tsx'
import { Small } from '../../components/text/words.tsx'
import { text } from './strings.ts'
import { type HashSource, nameOfSource } from './use-hashing.ts'
import type { Job } from './use-jobs.ts'

interface LineProps<Subject> {
  readonly job: Job<Subject>
  readonly onCancel: () => void
  readonly onAgain: () => void
}

/** How far the SHA-512 of a file is, with a button that ends it or starts it again. */
export function HashLine(props: LineProps<HashSource>) {
  const { subject, done, total, state, reason } = props.job
  const name = nameOfSource(subject)
  return (
    <JobLine
      {...props}
      ended={state === 'failed' ? text.hashFailed(name, reason) : text.hashCancelled(name)}
      again={text.computeHash}
      doing={text.hashing(formatSize(done), total === 0 ? undefined : formatSize(total))}
      share={total === 0 ? 0 : (done / total) * 100}
      label={text.hashOf(name)}
    />
  )
}

/** How far the upload of a file is, with a button that ends it or goes on with it. */
export function UploadLine(props: LineProps<File>) {
  const { subject, done, total, state, reason } = props.job
  const { name } = subject
  const size = formatSize(total)
  const share = total === 0 ? 100 : Math.floor((done / total) * 100)
  return (
    <JobLine
      {...props}
      ended={state === 'failed' ? text.uploadFailed(name, reason) : text.uploadCancelled(name)}
      again={text.resumeUpload}
      doing={share < 100 ? text.uploading(formatSize(done), size) : text.storing(size)}
      share={share}
      label={text.uploadOf(name)}
    />
  )
}

interface Props extends LineProps<HashSource> {
  /** What is said once it does not run any more, and the button that begins it again. */
  readonly ended: string
  readonly again: string
  /** What is said while it runs. */
  readonly doing: string
  /** From 0 to 100. */
  readonly share: number
  readonly label: string
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
