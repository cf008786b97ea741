import { Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { retryLoading } from '../../bridge/query-client.ts'
import { SmallButton } from '../small-button.tsx'
import { text } from '../strings.ts'
import { Quiet } from '../text/quiet.tsx'

/** Milliseconds until a skeleton says that the answer takes long. */
const LONG = 10_000

interface Props {
  /** Rows that the screen will have about; the layout does not jump when they come. */
  readonly rows?: number
  /** Height of a row in pixels. */
  readonly height?: number
}

/** Stands where a list or a table will be. */
export function Loading({ rows = 5, height = 40 }: Props) {
  return (
    <Stack gap="xs" aria-busy="true">
      <VisuallyHidden role="status">{text.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  )
}

/** Stands below a skeleton. Says after a while that the answer takes long, and asks again for what is missing. */
export function StillLoading() {
  const [attempt, setAttempt] = useState(0)
  const [isLong, setLong] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt takes its own time
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG)
    return () => clearTimeout(timer)
  }, [attempt])
  if (!isLong) return null
  const retry = () => {
    setLong(false)
    setAttempt(attempt + 1)
    void retryLoading()
  }
  return (
    <Group role="alert" mt="md" gap="sm" justify="center">
      <Quiet>{text.stillLoading}</Quiet>
      <SmallButton onClick={retry}>{text.retry}</SmallButton>
    </Group>
  )
}
